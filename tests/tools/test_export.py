"""nodia export: what is written is what the dataset has, as the readers' own libraries read it; whole or not at all."""

import contextlib
import hashlib
import io
import json
import os
import resource
import signal
import subprocess
import sys
import time

import datasets
import h5py
import numpy as np
import pandas
import pyarrow
import pytest
from nodia_command import SOURCE, needs_nodia, run
from pyarrow import parquet
from synthetic_dataset import write_dataset, write_entry
from tool_environment import tool_environment

from nodia_tools.command_line import InputError
from nodia_tools.export.column_statistics import statistics
from nodia_tools.export.command import export, main
from nodia_tools.export.dataset import Dataset
from nodia_tools.export.lerobot import export_lerobot
from nodia_tools.export.parquet_files import ParquetFiles
from nodia_tools.export.robomimic import keys_of, scaled

COMMAND = [sys.executable, "-m", "nodia_tools", "nodia_tools.export.command"]


@pytest.fixture(scope="module")
def dataset(tmp_path_factory):
    """Episodes 0 to 6 in two blocks; 2 failed, 5 never began. Nothing may change it."""
    return write_dataset(
        tmp_path_factory.mktemp("dataset") / "data", episodes=7, block=4, failed=(2,), never_began=(5,)
    )


@pytest.fixture(scope="module")
def lerobot(dataset):
    out = dataset.parent / "lerobot"
    export(dataset, out, "lerobot")
    return out


@pytest.fixture(scope="module")
def robomimic(dataset):
    out = dataset.parent / "robomimic"
    export(dataset, out, "robomimic", quarantined=True)
    return out


def source(dataset, episode):
    """The episode's group, open."""
    return h5py.File(dataset / f"blocks/{episode // 4:06}.h5")[f"episode_{episode:06}"]


def bytes_of(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def run_export(*words):
    """What the command does, in this process."""
    out, told = io.StringIO(), io.StringIO()
    handlers = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP)}
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(out), contextlib.redirect_stderr(told):
        patch.setattr(sys, "argv", ["nodia export", *map(str, words)])
        try:
            code = main()
        except SystemExit as ended:
            code = ended.code
        finally:
            for number, handler in handlers.items():
                signal.signal(number, handler)
    return subprocess.CompletedProcess(words, code, out.getvalue(), told.getvalue())


def expect_bad_input(done, *words):
    assert (done.returncode, done.stdout) == (2, ""), done.stderr
    assert done.stderr.count("\n") == 1 and all(word in done.stderr for word in words), done.stderr


# As LeRobot reads it: features of info.json, files of Parquet.


def loaded_frames(folder):
    """With the features that LeRobot makes of info.json; a file that has others raises."""
    info = json.loads((folder / "meta/info.json").read_text())
    features = {
        name: (
            datasets.Value(one["dtype"])
            if one["shape"] == [1]
            else datasets.Sequence(datasets.Value(one["dtype"]), length=one["shape"][0])
        )
        for name, one in info["features"].items()
    }
    files = sorted(map(str, folder.glob("data/*/*.parquet")))
    cache = str(folder.parent / "cache")
    loaded = datasets.Dataset.from_parquet(files, features=datasets.Features(features), cache_dir=cache)
    return info, loaded.with_format("numpy")


def test_frames_are_those_of_the_good_episodes(dataset, lerobot):
    info, frames = loaded_frames(lerobot)
    assert (info["codebase_version"], info["fps"], info["total_tasks"]) == ("v3.0", 25, 1)
    assert (info["total_episodes"], info["total_frames"], info["splits"]) == (5, len(frames), {"train": "0:5"})
    first = 0
    for index, number in enumerate([0, 1, 3, 4, 6]):
        group = source(dataset, number)
        n = int(group.attrs["steps"])
        own = frames[first : first + n]
        seen = {name: array[:n].reshape(n, -1) for name, array in group["observation"].items()}
        np.testing.assert_array_equal(own["action"], group["action"])
        np.testing.assert_array_equal(own["observation.state"], np.hstack([seen["arm.joints"], seen["arm.wrist"]]))
        np.testing.assert_array_equal(
            own["observation.environment_state"], np.hstack([seen["ball.nodes"], seen["time"]])
        )
        for name, array in group["quality"].items():
            wanted = array[()] if array.dtype.kind in "iu" else array[()].astype(np.float32)
            np.testing.assert_array_equal(own[f"quality.{name}"], wanted)
        np.testing.assert_array_equal(own["next.reward"], group["reward"])
        np.testing.assert_array_equal(own["next.success"], group["success"])
        np.testing.assert_array_equal(own["next.done"], np.arange(n) == n - 1)
        np.testing.assert_array_equal(own["timestamp"], (np.arange(n) / 25).astype(np.float32))
        np.testing.assert_array_equal(own["frame_index"], np.arange(n))
        np.testing.assert_array_equal(own["index"], first + np.arange(n))
        assert set(own["episode_index"]) == {index} and set(own["task_index"]) == {0}
        first += n
    assert first == len(frames)


def test_names_say_which_component_is_which(lerobot):
    features = json.loads((lerobot / "meta/info.json").read_text())["features"]
    assert features["action"]["names"] == ["base_x", "finger"]
    assert features["observation.state"]["names"][:3] == ["arm.joints.base_x", "arm.joints.finger", "arm.wrist.fx"]
    assert features["observation.environment_state"]["names"][3:5] == ["ball.nodes.1.x", "ball.nodes.1.y"]
    assert all(one["names"] is None or [len(one["names"])] == one["shape"] for one in features.values())
    # All that a policy would take: no column twice under another name.
    taken = {name for name in features if name.startswith(("observation", "action"))}
    assert taken == {"observation.state", "observation.environment_state", "action"}


def test_what_actions_move_is_state_too(dataset):
    data = Dataset(dataset)
    seen = data.description.observations
    assert [one.name for one in seen if data.acts(one)] == ["arm.joints", "arm.wrist"]
    data.scenario["robots"], data.scenario["task"]["action"]["frame"] = {"ar": {}}, ["ball"]
    assert [one.name for one in seen if data.acts(one)] == ["ball.nodes"]


def test_windows_over_time_stay_within_their_episodes(dataset, lerobot):
    """What LeRobot gives for delta_timestamps: frames at times of the same episode, the ends repeated."""
    info, frames = loaded_frames(lerobot)
    rows = pandas.read_parquet(lerobot / "meta/episodes/chunk-000/file-000.parquet")
    deltas = [round(seconds * info["fps"]) for seconds in (-0.04, 0, 0.08)]
    for row, number in zip(rows.itertuples(), [0, 1, 3, 4, 6], strict=True):
        action = source(dataset, number)["action"][()]
        for index in range(row.dataset_from_index, row.dataset_to_index):
            window = [min(max(index + delta, row.dataset_from_index), row.dataset_to_index - 1) for delta in deltas]
            place = np.clip(index - row.dataset_from_index + np.array(deltas), 0, len(action) - 1)
            np.testing.assert_array_equal(frames[window]["action"], action[place])
            times = frames[window]["timestamp"]
            np.testing.assert_allclose(times, place / info["fps"], atol=1e-4)


def test_rows_of_episodes_find_their_frames(dataset, lerobot):
    rows = pandas.read_parquet(lerobot / "meta/episodes/chunk-000/file-000.parquet")
    assert list(rows["nodia/episode"]) == [0, 1, 3, 4, 6] and list(rows["nodia/attempt"]) == [0, 1, 1, 0, 0]
    assert set(rows["nodia/seed"]) == {2**63 + 7}
    assert [json.loads(drawn)["bodies.ball.friction"] for drawn in rows["nodia/drawn"]] == [0.4, 0.41, 0.43, 0.44, 0.46]
    assert all(list(tasks) == ["lift the ball | slowly"] for tasks in rows["tasks"])
    assert list(rows["dataset_from_index"]) == [0, *rows["dataset_to_index"][:-1]]
    assert list(rows["dataset_to_index"] - rows["dataset_from_index"]) == list(rows["length"])
    tasks = pandas.read_parquet(lerobot / "meta/tasks.parquet")
    assert tasks.index.name == "task" and tasks.loc["lift the ball | slowly"].task_index == 0


def test_statistics_are_those_of_the_frames(lerobot):
    info, frames = loaded_frames(lerobot)
    of_all = json.loads((lerobot / "meta/stats.json").read_text())
    rows = pandas.read_parquet(lerobot / "meta/episodes/chunk-000/file-000.parquet")
    assert set(info["features"]) - set(of_all) == {"quality.natural_map_error"}  # NaN everywhere
    for name, stats in of_all.items():
        values = np.asarray(frames[name], float).reshape(len(frames), -1)
        values = values[np.isfinite(values).all(axis=1)]
        assert stats["count"] == [len(values)]
        for key, function in (("min", np.min), ("max", np.max), ("mean", np.mean), ("std", np.std)):
            np.testing.assert_allclose(stats[key], function(values, axis=0), rtol=1e-12)
        for key in ("q01", "q10", "q50", "q90", "q99"):
            np.testing.assert_allclose(stats[key], np.quantile(values, int(key[1:]) / 100, axis=0), rtol=1e-12)
    third = frames[int(rows.dataset_from_index[3]) : int(rows.dataset_to_index[3])]
    np.testing.assert_allclose(rows["stats/action/mean"][3], third["action"].astype(float).mean(axis=0))
    assert rows["stats/quality.natural_map_error/mean"][3] is None


def test_a_statistic_of_slices_is_that_of_the_whole(dataset, lerobot, tmp_path, monkeypatch):
    monkeypatch.setattr("nodia_tools.export.lerobot.SLICE_BYTES", 1)  # a component at a time
    export(dataset, tmp_path / "out", "lerobot")
    assert (tmp_path / "out/meta/stats.json").read_bytes() == (lerobot / "meta/stats.json").read_bytes()


def test_statistics_without_a_finite_value_are_none():
    assert statistics(np.full((3, 2), np.nan)) is None
    assert statistics(np.array([[1.0, np.nan], [2.0, 4.0]]))["mean"] == [2, 4]


@pytest.mark.parametrize("episodes_a_file", [1, 2, 100])
def test_files_end_before_they_are_too_large(tmp_path, episodes_a_file):
    data = Dataset(write_dataset(tmp_path / "data", episodes=9, failed=(2, 3)))
    (tmp_path / "whole").mkdir(), (tmp_path / "parts").mkdir()
    export_lerobot(data, tmp_path / "whole")
    group = parquet.ParquetFile(tmp_path / "whole/data/chunk-000/file-000.parquet")
    assert group.num_row_groups == 7  # one an episode
    largest = max(group.metadata.row_group(k).total_byte_size for k in range(7))
    limit_mb = episodes_a_file * 1.2 * largest / 1e6
    export_lerobot(data, tmp_path / "parts", file_mb=limit_mb)
    files = sorted((tmp_path / "parts").glob("data/*/*.parquet"))
    assert (
        (len(files) == 7)
        if episodes_a_file == 1
        else (len(files) == 1) if episodes_a_file == 100 else 2 < len(files) < 7
    )
    _, whole = loaded_frames(tmp_path / "whole")
    _, parts = loaded_frames(tmp_path / "parts")
    for name in whole.column_names:
        np.testing.assert_array_equal(whole[name], parts[name])
    rows = pandas.concat(map(pandas.read_parquet, sorted((tmp_path / "parts").glob("meta/episodes/*/*.parquet"))))
    for row in rows.to_dict("records"):
        path = f"data/chunk-{row['data/chunk_index']:03d}/file-{row['data/file_index']:03d}.parquet"
        held = pandas.read_parquet(tmp_path / "parts" / path)
        own = held[held["episode_index"] == row["episode_index"]]
        assert list(own["index"]) == list(range(row["dataset_from_index"], row["dataset_to_index"]))


def test_a_chunk_has_a_thousand_files(tmp_path):
    table = pyarrow.table({"a": [1]})
    with ParquetFiles(tmp_path, table.schema, 1) as files:
        places = []
        for _ in range(1002):
            places.append(files.place(table.nbytes))
            files.write(table)
    assert places[:2] == [(0, 0), (0, 1)] and places[999:] == [(0, 999), (1, 0), (1, 1)]
    assert len(list(tmp_path.glob("chunk-000/*"))) == 1000 and len(list(tmp_path.glob("chunk-001/*"))) == 2


# As robomimic reads it.


def test_demos_are_the_episodes(dataset, robomimic):
    with h5py.File(robomimic / "dataset.hdf5", "r", swmr=True, libver="latest") as file:
        data = file["data"]
        assert sorted(data) == ["demo_0", "demo_1", "demo_2", "demo_3", "demo_4", "demo_6"]
        assert data.attrs["total"] == sum(demo.attrs["num_samples"] for demo in data.values())
        environment = json.loads(data.attrs["env_args"])
        assert (environment["env_name"], environment["type"], environment["env_type"]) == ("lift", 2, 2)
        arguments = environment["env_kwargs"]
        low, high = np.array(arguments["action_low"]), np.array(arguments["action_high"])
        for name, demo in data.items():
            group = source(dataset, int(name[5:]))
            n = demo.attrs["num_samples"]
            actions = demo["actions"][()]
            assert len(actions) == n and abs(actions).max() <= 1
            np.testing.assert_allclose(low + (actions + 1) / 2 * (high - low), group["action"], rtol=0, atol=1e-9)
            for key, ours in arguments["observations"].items():
                np.testing.assert_array_equal(demo["obs"][key], group["observation"][ours][:-1])
                np.testing.assert_array_equal(demo["next_obs"][key], group["observation"][ours][1:])
            np.testing.assert_array_equal(demo["dones"], np.arange(n) == n - 1)
            np.testing.assert_array_equal(demo["rewards"], group["reward"])
            np.testing.assert_array_equal(demo["quality/error_estimate"], group["quality/error_estimate"])
            assert demo["states"].shape == (n, 1)
        masks = {name: [word.decode() for word in mask] for name, mask in file["mask"].items()}
    assert masks == {"train": ["demo_0", "demo_1", "demo_3", "demo_4"], "valid": ["demo_6"], "quarantined": ["demo_2"]}


def test_without_all_no_demo_is_quarantined(dataset, tmp_path):
    done = export(dataset, tmp_path / "out", "robomimic")
    with h5py.File(tmp_path / "out/dataset.hdf5") as file:
        assert "demo_2" not in file["data"] and sorted(file["mask"]) == ["train", "valid"]
    assert (done["episodes"], done["quarantined"], done["causes"]) == (5, 2, {"diverged": 1, "no_valid_start": 1})


@pytest.mark.parametrize(("episodes", "train", "valid"), [(1, 1, 0), (2, 1, 1), (10, 9, 1), (23, 21, 2)])
def test_a_tenth_is_for_validation(tmp_path, episodes, train, valid):
    export(write_dataset(tmp_path / "data", episodes=episodes, failed=()), tmp_path / "out", "robomimic")
    with h5py.File(tmp_path / "out/dataset.hdf5") as file:
        masks = {name: set(mask[()]) for name, mask in file["mask"].items()}
    assert (len(masks["train"]), len(masks["valid"])) == (train, valid) and not masks["train"] & masks["valid"]


def test_actions_are_scaled_by_their_bounds():
    class Bounds:
        def __init__(self, low, high):
            self.low, self.high = low, high

    components = [Bounds(-1, 3), Bounds(5, 5)]
    actions = np.array([[-1, 5], [1, 5], [3, 5], [3.0001, 5]])
    np.testing.assert_array_equal(scaled(actions, components), [[-1, 0], [0, 0], [1, 0], [1, 0]])
    assert np.isnan(scaled(np.full((1, 2), np.nan), components)).all()


def test_two_observations_that_robomimic_cannot_tell_apart_are_refused():
    class Seen:
        def __init__(self, name):
            self.name = name

    with pytest.raises(InputError, match="a.b_c: is a_b_c for robomimic"):
        keys_of([Seen("a_b.c"), Seen("a.b_c")])


# The folder.


@pytest.mark.parametrize("to", ["lerobot", "robomimic"])
def test_the_same_dataset_gives_the_same_bytes(dataset, lerobot, tmp_path, to):
    for name in ("a", "b"):
        export(dataset, tmp_path / name, to)
        time.sleep(1.1 if name == "a" else 0)  # times in files have a resolution of a second
    assert bytes_of(tmp_path / "a") == bytes_of(tmp_path / "b")


def test_the_card_says_what_the_data_are(dataset, lerobot, robomimic):
    for folder in (lerobot, robomimic):
        page = (folder / "README.md").read_text()
        assert "2 of 7 episodes, 28.57% (1 diverged, 1 no_valid_start)" in page
        assert "Rejected starts were resampled, 3 of 7: " in page
        assert "| tolerance | 1.0e-03 of the rule energy |" in page and "| build | 0.5.0; 0.5.1 |" in page
        assert "| `bodies.ball.youngs_modulus_Pa` | {log_uniform: [20000, 200000]} |" in page
        assert "lift the ball \\| slowly" in page and "arm.wrist (6: fx, fy, fz, tx, ty, tz)" in page
        good = [source(dataset, number)["quality/relative_residual"][()].max() for number in (0, 1, 3, 4, 6)]
        assert f"| `relative_residual` | {max(good):.3g} |" in page
        assert (folder / "request.yaml").read_bytes() == (dataset / "dataset.yaml").read_bytes()


def test_the_sum_is_over_request_and_episodes(dataset):
    lines = ["nodia_dataset 1", hashlib.sha256((dataset / "dataset.yaml").read_bytes()).hexdigest()]
    lines += [hashlib.sha256(str(number).encode()).hexdigest() for number in range(7)]
    wanted = hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()
    assert Dataset(dataset).content_sha256 == wanted


def test_an_observation_can_be_left_out(dataset, tmp_path):
    export(dataset, tmp_path / "out", "lerobot", without=["ball.nodes", "time"])
    info = json.loads((tmp_path / "out/meta/info.json").read_text())
    assert "observation.environment_state" not in info["features"]
    expect_bad_input(
        run_export(dataset, tmp_path / "other", "--to", "lerobot", "--without", "ball.node"),
        "--without = ball.node",
        "did you mean ball.nodes?",
    )


def test_an_empty_folder_is_taken_and_a_full_one_is_not(dataset, tmp_path):
    empty, full = tmp_path / "empty", tmp_path / "full"
    empty.mkdir(), full.mkdir()
    (full / "mine.txt").write_text("mine")
    done = run_export(dataset, empty, "--to", "robomimic", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["frames"] == 42 and (empty / "dataset.hdf5").exists()
    expect_bad_input(run_export(dataset, full, "--to", "robomimic"), f"OUT = {full}", "nothing is replaced")
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    expect_bad_input(run_export(dataset, tmp_path / "link", "--to", "lerobot"), "it is a link")
    expect_bad_input(run_export(dataset, tmp_path / "none/out", "--to", "lerobot"), "must lie in a folder that exists")
    expect_bad_input(run_export(dataset, dataset / "out", "--to", "lerobot"), "must lie outside of the dataset")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["empty", "full", "link"]
    assert bytes_of(full) == {"mine.txt": b"mine"}


@pytest.mark.parametrize("to", ["lerobot", "robomimic"])
def test_a_disk_that_refuses_is_one_line_and_leaves_nothing(dataset, tmp_path, to):
    limit = 2000  # bytes of a file, far below what is written; Python ignores SIGXFSZ
    words = [*COMMAND, str(dataset), str(tmp_path / "out"), "--to", to]
    bound = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))  # noqa: E731
    done = subprocess.run(words, env=tool_environment(), preexec_fn=bound, capture_output=True, text=True, timeout=300)
    assert done.returncode == 1 and done.stdout == "", done.stderr
    assert done.stderr.count("\n") == 1 and "cannot be written" in done.stderr, done.stderr
    assert os.listdir(tmp_path) == []


# All is written, and then nothing happens any more.
STANDS_STILL = """\
import sys, time
from nodia_tools.export import command
write = command.export_robomimic
command.export_robomimic = lambda *arguments: (write(*arguments), time.sleep(600))
sys.exit(command.main())
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_an_export_that_is_ended_is_no_export(dataset, tmp_path, number):
    words = [sys.executable, "-c", STANDS_STILL, str(dataset), str(tmp_path / "out"), "--to", "robomimic"]
    child = subprocess.Popen(words, env=tool_environment(), stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 60
    while not list(tmp_path.glob("out.partial-*/dataset.hdf5")) and time.monotonic() < deadline:
        time.sleep(0.01)
    child.send_signal(number)
    _, told = child.communicate(timeout=60)
    assert child.returncode == (-number if number == signal.SIGKILL else 130) and told == ""
    assert not (tmp_path / "out").exists()
    assert len(list(tmp_path.glob("out.partial-*"))) == (number == signal.SIGKILL)


# Datasets that are none.


def test_a_block_that_is_missing_or_damaged_is_named(tmp_path):
    data = write_dataset(tmp_path / "data")
    words = [data, tmp_path / "out", "--to", "lerobot"]
    block = data / "blocks/000001.h5"
    sound = block.read_bytes()
    block.write_bytes(sound[:-1] + bytes([sound[-1] ^ 1]))
    expect_bad_input(run_export(*words), f"{block}: damaged", "remove both")
    block.unlink()
    expect_bad_input(run_export(*words), "000001.json: no whole block", "No such file")
    block.write_bytes(sound)
    published = block.with_suffix(".json")
    text = published.read_text()
    published.write_text(text[:-20])
    expect_bad_input(run_export(*words), "000001.json: no whole block")
    published.write_text(text.replace('"format_version": 1', '"format_version": 3'))
    expect_bad_input(run_export(*words), "a newer nodia wrote it")
    published.unlink()
    expect_bad_input(run_export(*words), "000001.json: missing", "exported whole")
    assert os.listdir(tmp_path) == ["data"]


def test_what_publishes_a_block_has_its_own_sum(tmp_path):
    data = write_dataset(tmp_path / "data")
    words = [data, tmp_path / "out", "--to", "robomimic"]
    published = data / "blocks/000001.json"
    text = published.read_text()
    for was, instead in (('"build": "0.5.1"', '"build": "0.5.2"'), ("\n}\n", "\n}"), ('"block": 1', '"block":  1')):
        assert was in text
        published.write_text(text.replace(was, instead))
        expect_bad_input(run_export(*words), f"{published}: damaged (its entry_sha256", "remove it")
    published.write_text(text.replace("entry_sha256", "entry_sum"))
    expect_bad_input(run_export(*words), f"{published}: no whole block ('entry_sha256'")
    published.write_text(text)
    assert run_export(*words).returncode == 0


@pytest.mark.parametrize("to", ["lerobot", "robomimic"])
def test_arrays_that_cannot_be_read_are_named_and_not_what_is_written(tmp_path, to):
    data = write_dataset(tmp_path / "data")
    block = data / "blocks/000001.h5"
    with h5py.File(block, "r+") as file:
        episode = file["episode_000004"]
        n = len(episode["reward"])
        del episode["reward"]
        reward = episode.create_dataset("reward", (n,), "f8", chunks=(n,), compression="gzip")
        reward.id.write_direct_chunk((0,), b"no stream")
    entry = json.loads(block.with_suffix(".json").read_text())
    del entry["entry_sha256"]
    entry["sha256"] = hashlib.sha256(block.read_bytes()).hexdigest()
    write_entry(block.with_suffix(".json"), entry)
    expect_bad_input(run_export(data, tmp_path / "out", "--to", to), f"{block}: cannot be read (")
    assert os.listdir(tmp_path) == ["data"]


def test_what_is_no_dataset_is_told(tmp_path):
    folder = tmp_path / "folder"
    folder.mkdir()
    words = [tmp_path / "out", "--to", "lerobot"]
    expect_bad_input(run_export(tmp_path / "none", *words), "missing (must be the folder of a dataset)")
    expect_bad_input(run_export(folder, *words), "no dataset (it has no dataset.yaml")
    for text in (
        "[1, 2]",
        "{",
        "format: other\nformat_version: 1\n",
        "format: nodia_dataset\nformat_version: x\n",
        "\x00",
    ):
        (folder / "dataset.yaml").write_text(text)
        expect_bad_input(run_export(folder, *words), str(folder / "dataset.yaml"))
    (folder / "dataset.yaml").write_text("format: nodia_dataset\nformat_version: 2\n")
    expect_bad_input(run_export(folder, *words), "format version 2", "a newer nodia")


def test_blocks_of_another_request_are_told(tmp_path):
    data = write_dataset(tmp_path / "data", episodes=6, block=4)
    request = data / "dataset.yaml"
    request.write_text(request.read_text().replace("episodes: 6", "episodes: 7"))
    expect_bad_input(run_export(data, tmp_path / "out", "--to", "lerobot"), "each episode of the request once")


def test_nothing_good_is_nothing_to_export(tmp_path):
    data = write_dataset(tmp_path / "data", episodes=3, failed=(0, 2), never_began=(1,))
    expect_bad_input(
        run_export(data, tmp_path / "out", "--to", "robomimic", "--all"),
        "no episode is good (2 diverged, 1 no_valid_start",
    )


def test_episodes_that_observe_other_things_are_told(tmp_path):
    data = write_dataset(tmp_path / "data", shapes={(4, "ball.nodes"): (6, 3)})
    words = ["--to", "lerobot"]
    expect_bad_input(
        run_export(data, tmp_path / "out", *words),
        "000001.h5: observation ball.nodes is [6, 3] in episode 4, [5, 3] in episode 0",
        "--without ball.nodes",
    )
    assert run_export(data, tmp_path / "out", *words, "--without", "ball.nodes").returncode == 0


def test_lerobot_takes_whole_rates_only(tmp_path):
    data = write_dataset(tmp_path / "data", control_hz=12.5)
    done = run_export(data, tmp_path / "out", "--to", "lerobot")
    expect_bad_input(done, "scenario.task.control_hz = 12.5 (must be whole for LeRobot")
    assert run_export(data, tmp_path / "out", "--to", "robomimic").returncode == 0


def test_usage_is_told(dataset, tmp_path):
    expect_bad_input(run_export(dataset, tmp_path / "out", "--to", "rlds"), "invalid choice")
    expect_bad_input(run_export(dataset, tmp_path / "out"), "--to")
    expect_bad_input(run_export(dataset, tmp_path / "out", "--to", "lerobot", "--all"), "--all", "robomimic")


def test_a_missing_package_is_one_line(dataset, tmp_path, module="pyarrow"):
    (tmp_path / "without" / module).mkdir(parents=True)
    (tmp_path / "without" / module / "__init__.py").write_text(f"raise ModuleNotFoundError('x', name={module!r})\n")
    path = f"{tmp_path / 'without'}:{tool_environment()['PYTHONPATH']}"
    words = [*COMMAND, str(dataset), str(tmp_path / "out"), "--to", "lerobot"]
    done = subprocess.run(
        words, env=tool_environment() | {"PYTHONPATH": path}, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 1 and done.stdout == ""
    assert done.stderr == f"nodia: {module} is missing (pip install 'nodia[export]'; in a clone: tools/setup.sh --tests)\n"
    assert not (tmp_path / "out").exists()


@needs_nodia
def test_what_generate_makes_is_exported_by_the_command(tmp_path):
    scenario = SOURCE / "scenarios/quick_lift/quick_lift.yaml"
    words = ["--episodes", 3, "--seed", 7, "--block", 2, "--set", "time.duration_s=0.3", "--threads", 1]
    done = run("generate", scenario, tmp_path / "data", *words)
    assert done.returncode == 0, done.stderr
    content = json.loads(run("dataset", tmp_path / "data", "--json").stdout)["content_sha256"]
    for to in ("lerobot", "robomimic"):
        done = run("export", tmp_path / "data", tmp_path / to, "--to", to, "--json")
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["content_sha256"] == content
    info, frames = loaded_frames(tmp_path / "lerobot")
    assert info["features"]["action"]["names"] == ["base_x", "base_y", "base_z", "gripper"]
    state = info["features"]["observation.state"]["names"]
    assert state[6:8] == ["gripper.joints.finger_left", "gripper.wrist.fx"] and len(state) == 13
    with h5py.File(tmp_path / "data/blocks/000001.h5") as file:
        episode = file["episode_000002"]
        own = frames[len(frames) - int(episode.attrs["steps"]) :]
        joints, wrench = episode["observation/gripper.joints"][:-1], episode["observation/gripper.wrist"][:-1]
        np.testing.assert_array_equal(own["observation.state"], np.hstack([joints, wrench]))
        np.testing.assert_array_equal(own["action"], episode["action"])
