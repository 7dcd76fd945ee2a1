"""Writes the episode table of LeRobot v3.0: one row per episode, which includes its statistics."""

import json

import pyarrow

from nodia_tools.export.column_statistics import NAMES, statistics
from nodia_tools.export.parquet_files import ParquetFiles

GROUP = 100  # number of episodes in a row group


class EpisodeTable:
    """Writer of the files in meta/episodes."""

    def __init__(self, folder, features, limit_bytes):
        self._features = features
        self._schema = pyarrow.schema(
            [
                ("episode_index", pyarrow.int64()),
                ("tasks", pyarrow.list_(pyarrow.string())),
                ("length", pyarrow.int64()),
                ("data/chunk_index", pyarrow.int64()),
                ("data/file_index", pyarrow.int64()),
                ("dataset_from_index", pyarrow.int64()),
                ("dataset_to_index", pyarrow.int64()),
                ("meta/episodes/chunk_index", pyarrow.int64()),
                ("meta/episodes/file_index", pyarrow.int64()),
                ("nodia/episode", pyarrow.int64()),
                ("nodia/seed", pyarrow.uint64()),
                ("nodia/attempt", pyarrow.int64()),
                ("nodia/drawn", pyarrow.string()),
                *(
                    (
                        f"stats/{feature}/{name}",
                        pyarrow.list_(pyarrow.int64() if name == "count" else pyarrow.float64()),
                    )
                    for feature in features
                    for name in NAMES
                ),
            ]
        )
        self._files, self._rows = ParquetFiles(folder, self._schema, limit_bytes), []

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        with self._files:
            if error is None:
                self._flush()

    def add(self, episode, task, columns, place, index, first_frame):
        """Adds an episode.

        @param columns      columns of its frames, [n, size] by feature
        @param place        numbers of the chunk and of the file that contain its frames
        @param index        number of the episode in the export
        @param first_frame  number of its first frame in the export
        """
        n = len(columns["index"])
        row = {
            "episode_index": index,
            "tasks": [task],
            "length": n,
            "data/chunk_index": place[0],
            "data/file_index": place[1],
            "dataset_from_index": first_frame,
            "dataset_to_index": first_frame + n,
            "meta/episodes/chunk_index": 0,
            "meta/episodes/file_index": 0,
            "nodia/episode": episode.number,
            "nodia/seed": episode.seed,
            "nodia/attempt": episode.attempt,
            "nodia/drawn": json.dumps(episode.drawn, sort_keys=True),
        }
        for feature in self._features:
            found = statistics(columns[feature]) or dict.fromkeys(NAMES)
            row |= {f"stats/{feature}/{name}": found[name] for name in NAMES}
        self._rows.append(row)
        if len(self._rows) == GROUP:
            self._flush()

    def _flush(self):
        if not self._rows:
            return
        size = pyarrow.Table.from_pylist(self._rows, self._schema).nbytes
        chunk, file = self._files.place(size)
        numbers = {"meta/episodes/chunk_index": chunk, "meta/episodes/file_index": file}
        self._files.write(pyarrow.Table.from_pylist([row | numbers for row in self._rows], self._schema))
        self._rows.clear()
