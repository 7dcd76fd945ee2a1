"""Writes a LeRobotDataset v3.0 without images, for LeRobot 0.4.4 and newer."""

import json

import numpy as np
import pyarrow
from pyarrow import parquet

from nodia_tools.command_line import InputError
from nodia_tools.export.card import action_in_words, observation_in_words, quality_in_words
from nodia_tools.export.column_statistics import statistics
from nodia_tools.export.lerobot_episodes import EpisodeTable
from nodia_tools.export.lerobot_features import columns_of, features_of, values_of
from nodia_tools.export.parquet_files import FILES_A_CHUNK, PATH, ParquetFiles

VERSION = "v3.0"
FILE_MB = 100  # size limit of a file of frames or of the episode table
SLICE_BYTES = 256 << 20  # size of the part of a column whose statistics are computed at once


def export_lerobot(dataset, folder, told=lambda episode, arrays: None, file_mb=FILE_MB):
    """Writes the good episodes of a dataset.

    @param folder   empty folder
    @param told     called with every written episode and its arrays
    @param file_mb  size limit of a file [MB]; only a single larger episode exceeds it
    @return         numbers of (episodes, frames)
    """
    fps = whole_rate(dataset)
    features = features_of(dataset)
    schema = pyarrow.schema([(name, feature.arrow_type()) for name, feature in features.items()])
    n_episode = n_frame = 0
    with (
        ParquetFiles(folder / "data", schema, file_mb * 1e6) as frames,
        EpisodeTable(folder / "meta/episodes", features, file_mb * 1e6) as episodes,
    ):
        for episode, arrays in dataset.with_arrays(dataset.good):
            columns = columns_of(arrays, features, fps, n_episode, n_frame)
            table = pyarrow.table({name: one.arrow_array(columns[name]) for name, one in features.items()}, schema)
            place = frames.place(table.nbytes)
            frames.write(table)
            episodes.add(episode, dataset.task, columns, place, n_episode, n_frame)
            n_episode, n_frame = n_episode + 1, n_frame + len(table)
            told(episode, arrays)
    _write_tasks(folder / "meta/tasks.parquet", dataset.task)
    _write_json(folder / "meta/stats.json", _statistics_of_all(folder / "data", features, n_frame))
    _write_json(folder / "meta/info.json", _info(dataset, features, fps, n_episode, n_frame, file_mb))
    return n_episode, n_frame


def columns_in_words(dataset):
    """(name, description) of every column except the five that every LeRobotDataset has."""
    described = dataset.description
    observed = {one.name: one for one in described.observations}
    of_quality = {f"quality.{one.name}": one for one in described.quality}
    words = {
        "action": action_in_words(described.action),
        "next.reward": "reward of the action",
        "next.done": "the episode ends with the action",
        "next.success": "the action reached the task's success",
    }
    rows = []
    for name, feature in features_of(dataset).items():
        if feature.sources:
            rows.append((f"`{name}`", "; ".join(observation_in_words(observed[source]) for source in feature.sources)))
        elif name in of_quality:
            rows.append((f"`{name}`", quality_in_words(of_quality[name])))
        elif name in words:
            rows.append((f"`{name}`", words[name]))
    return rows


def whole_rate(dataset):
    """Frames per second. LeRobot accepts only a whole number."""
    rate = dataset.control_hz
    if rate != round(rate):
        raise InputError(
            f"{dataset.directory}/dataset.yaml: scenario.task.control_hz = {rate:g} (must be whole for LeRobot)"
        )
    return round(rate)


def _info(dataset, features, fps, n_episode, n_frame, file_mb):
    return {
        "codebase_version": VERSION,
        "robot_type": dataset.robot or None,
        "total_episodes": n_episode,
        "total_frames": n_frame,
        "total_tasks": 1,
        "chunks_size": FILES_A_CHUNK,
        "data_files_size_in_mb": file_mb,
        "video_files_size_in_mb": 200,
        "fps": fps,
        "splits": {"train": f"0:{n_episode}"},
        "data_path": f"data/{PATH}",
        "video_path": None,
        "features": {name: feature.described() for name, feature in features.items()},
    }


def _statistics_of_all(folder, features, n_frame):
    """Statistics of each feature over all frames. At most SLICE_BYTES of a column are in memory at once."""
    files = [parquet.ParquetFile(path) for path in sorted(folder.rglob("*.parquet"))]
    found = {}
    for name, feature in features.items():
        width = max(1, SLICE_BYTES // (8 * n_frame))
        parts = []
        for first in range(0, feature.size, width):
            values = [
                values_of(file.read_row_group(group, columns=[name])[name])[:, first : first + width]
                for file in files
                for group in range(file.num_row_groups)
            ]
            parts.append(statistics(np.concatenate(values)))
        if None not in parts:
            found[name] = {key: sum((part[key] for part in parts), []) for key in parts[0]} | {
                "count": parts[0]["count"]
            }
    return found


def _write_tasks(path, task):
    """Writes the table of tasks as pandas writes it, with the task as the index."""
    number = {
        "name": "task_index",
        "field_name": "task_index",
        "pandas_type": "int64",
        "numpy_type": "int64",
        "metadata": None,
    }
    text = {"name": "task", "field_name": "task", "pandas_type": "unicode", "numpy_type": "object", "metadata": None}
    pandas = {"index_columns": ["task"], "column_indexes": [], "columns": [number, text]}
    table = pyarrow.table(
        {"task_index": pyarrow.array([0], pyarrow.int64()), "task": pyarrow.array([task], pyarrow.string())}
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    parquet.write_table(table.replace_schema_metadata({"pandas": json.dumps(pandas)}), path, compression="snappy")


def _write_json(path, data):
    path.write_text(json.dumps(data, indent=4, allow_nan=False) + "\n")
