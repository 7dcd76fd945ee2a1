"""nodia generate, dataset and replay: the same bytes however a dataset is made, and one line for whatever is wrong."""

import hashlib
import json
import os
import random
import resource
import shutil
import signal
import struct
import subprocess
import time

import h5py
import numpy as np
import pytest
from nodia_command import BINARY, SOURCE, expect_bad_input, needs_nodia, run
from push_dataset import GOOD, PUSH, dataset, episodes_of, files, generate, push, start, wait, words_of

pytestmark = needs_nodia

ROUNDS = int(os.environ.get("NODIA_ROUNDS", 12))  # kills
EPISODES = int(os.environ.get("NODIA_EPISODES", 60))  # of the slow equality


def test_a_dataset_says_what_it_holds(push, tmp_path):
    made = generate(push, tmp_path / "d", 100, "--block", 16)
    assert made["format"] == "nodia_generate"
    assert made["made_episodes"] == 100 and made["made_blocks"] == 7 and made["complete"]
    assert 0 < made["quarantined"] < 12 and made["causes"] == {"bad_observation": made["quarantined"]}
    report = dataset(tmp_path / "d")
    assert report["format"] == "nodia_dataset"
    for key in ("episodes", "steps", "quarantined", "causes", "successes", "missing_blocks"):
        assert report[key] == made[key]
    assert report["episodes_per_hour"] > 0
    shutil.rmtree(tmp_path / "d/log")
    assert dataset(tmp_path / "d")["episodes_per_hour"] is None
    again = generate(push, tmp_path / "d", 100, "--block", 16)
    assert again["made_episodes"] == 0 and again["episodes"] == 100
    told = run("dataset", tmp_path / "d")
    assert f"100 episodes, {made['steps']} control steps" in told.stdout
    assert f"{made['quarantined']} quarantined: bad_observation" in told.stdout


def test_a_script_without_a_path_is_told_once(push, tmp_path):
    path = "path: [{time_s: 0, position_m: [-0.02, 0, 0.06]}, {time_s: 0.2, position_m: [0.02, 0, 0.06]}]"
    for name, text, told in (("still", PUSH.replace(path, ""), 1), ("moving", PUSH, 0)):
        push.write_text(text)
        done = run(*words_of(push, tmp_path / name, 3, *GOOD, "--block", 1, "--threads", 2))
        assert done.returncode == 0, done.stderr
        assert done.stderr.count("the script has no path to follow") == told, done.stderr
        assert done.stderr.count("give obstacles.plate a path") == told, done.stderr


def test_what_run_tells_of_a_scenario_is_told(push, tmp_path):
    push.write_text(PUSH.replace("friction: 0.4", "friction: 0.1"))
    told = "bodies.box.friction = 0.1 has no effect at obstacles.floor"
    assert told in run("run", push, "--steps", 1, "--out", tmp_path / "out").stderr
    done = run(*words_of(push, tmp_path / "d", 2, *GOOD))
    assert done.returncode == 0 and done.stderr.count(told) == 1, done.stderr


def sum_of_pieces(pieces):
    total = hashlib.sha256()
    for piece in pieces:
        total.update(struct.pack("<Q", len(piece)) + piece)
    return total.hexdigest()


def pieces_of_attributes(attributes):
    for name in sorted(attributes, key=str.encode):
        value = attributes[name]
        yield name.encode()
        if isinstance(value, str):
            yield from (b"text", value.encode())
        elif isinstance(value, np.ndarray) and value.dtype.kind in "SO":
            yield b"texts"
            yield from (text if isinstance(text, bytes) else text.encode() for text in value)
        elif isinstance(value, np.ndarray):
            assert value.dtype == np.float64
            yield b"float64s"
            yield from (number.tobytes() for number in value)
        else:
            yield from (str(value.dtype).encode(), value.tobytes())


def pieces_of_episode(group):
    arrays = {}
    group.visititems(lambda name, item: arrays.__setitem__(name, item) if isinstance(item, h5py.Dataset) else None)
    yield from pieces_of_attributes(group.attrs)
    for name in sorted(arrays, key=str.encode):
        array = arrays[name]
        yield from (name.encode(), str(array.dtype).encode())
        yield from (struct.pack("<Q", n) for n in array.shape)
        yield array[()].tobytes()
        yield from pieces_of_attributes(array.attrs)


def test_sums_are_those_of_the_page(push, tmp_path):
    generate(push, tmp_path / "d", 6, "--block", 4)
    text = (tmp_path / "d/dataset.yaml").read_bytes()
    lines = ["nodia_dataset 1", hashlib.sha256(text).hexdigest()]
    for path in sorted((tmp_path / "d/blocks").glob("*.h5")):
        entry = json.loads(path.with_suffix(".json").read_text())
        assert entry["sha256"] == hashlib.sha256(path.read_bytes()).hexdigest()
        assert entry["bytes"] == path.stat().st_size
        with h5py.File(path) as file:
            for episode in entry["episodes"]:
                group = file[f"episode_{episode['episode']:06}"]
                assert sum_of_pieces(pieces_of_episode(group)) == episode["sha256"]
                assert json.loads(group.attrs["drawn"]) == episode["drawn"]
                lines.append(episode["sha256"])
    content = hashlib.sha256("".join(line + "\n" for line in lines).encode()).hexdigest()
    assert dataset(tmp_path / "d")["content_sha256"] == content


def test_the_layout_is_that_of_the_page(push, tmp_path):
    generate(push, tmp_path / "d", 1, *GOOD)
    with h5py.File(tmp_path / "d/blocks/000000.h5") as file:
        assert file.attrs["format"] == "nodia_block" and file.attrs["control_hz"] == 25
        group = file["episode_000000"]
        names = []
        group.visititems(lambda name, item: names.append(name) if isinstance(item, h5py.Dataset) else None)
        assert all("unit" in group[name].attrs for name in names)
        page = (SOURCE / "docs/datasets.md").read_text()
        for name in names:
            head, _, tail = name.partition("/")
            assert f"`{name}`" in page or f"`{head}/NAME`" in page, name
        assert group["observation/box.nodes"].shape == (6, 18, 3)
        assert group["observation/box.nodes"].dtype == np.float32
        assert list(group["observation/plate.pose"].attrs["names"]) == ["x", "y", "z", "qw", "qx", "qy", "qz"]
        assert list(group["action"].attrs["names"]) == ["plate.x", "plate.y", "plate.z"]
        assert np.allclose(group["action"].attrs["high"], 0.02)
        assert group["time_s"][-1] == pytest.approx(0.2)
        way = np.cumsum(group["action"][:, 0].astype(float))
        np.testing.assert_allclose(group["targets/frames"][:, 0, 0], -0.02 + way, atol=1e-12)
        assert way[-1] == pytest.approx(0.04, abs=1e-8)
        np.testing.assert_array_equal(group["quality/status"][:], 0)
        assert (group["quality/force_balance_N"][:] < 1e-2).all()
        assert group["contacts/offsets"][0] == 0 and len(group["contacts/offsets"]) == 6
        bodies = list(group["contacts/body_j"].attrs["names"])
        assert {"box", "floor", "plate"} == set(bodies)


def test_processes_and_shards_make_the_same_files(push, tmp_path):
    plain = tmp_path / "plain"
    generate(push, plain, 12, "--block", 2)
    wait(*(start(push, tmp_path / "two", 12, "--block", 2) for _ in range(2)))
    wait(*(start(push, tmp_path / "shards", 12, "--block", 2, "--shard", f"{i}/2") for i in range(2)))
    generate(push, tmp_path / "threads", 12, "--block", 2, "--threads", 3, "--oversubscribe")
    for other in ("two", "shards", "threads"):
        generate(push, tmp_path / other, 12, "--block", 2)  # what a process found busy at its end
        assert files(tmp_path / other) == files(plain), other
        assert dataset(tmp_path / other)["content_sha256"] == dataset(plain)["content_sha256"]


def test_an_interrupt_leaves_whole_blocks_and_the_same_command_goes_on(push, tmp_path):
    plain, cut = tmp_path / "plain", tmp_path / "cut"
    generate(push, plain, 60, "--block", 3)
    child = start(push, cut, 60, "--block", 3)
    deadline = time.monotonic() + 60
    while len(list(cut.glob("blocks/*.json"))) < 2 and time.monotonic() < deadline:
        time.sleep(0.002)
    child.send_signal(signal.SIGINT)
    _, messages = child.communicate(timeout=60)
    assert child.returncode == 130 and "continues" in messages
    report = dataset(cut)
    assert 6 <= report["episodes"] < 60 and report["content_sha256"] is None and not report["complete"]
    assert not list(cut.glob("blocks/*.tmp"))
    generate(push, cut, 60, "--block", 3)
    assert files(cut) == files(plain)


def test_another_request_is_refused_by_its_key(push, tmp_path):
    generate(push, tmp_path / "d", 2)
    before = files(tmp_path / "d")
    expect_bad_input(run(*words_of(push, tmp_path / "d", 3)), "episodes = 3 is asked for, and 2 in the folder")
    expect_bad_input(
        run(*words_of(push, tmp_path / "d", 2, "--set", "bodies.box.youngs_modulus_Pa=2e5")),
        "scenario.bodies.box.youngs_modulus_Pa = 200000 is asked for, and 100000 in the folder",
    )
    expect_bad_input(run(*words_of(push, tmp_path / "d", 2, "--seed", 8)), "seed = 8 is asked for, and 7 in the folder")
    assert files(tmp_path / "d") == before


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (["--shard", "2/2"], ["--shard = 2/2", "i from 0 to n - 1"]),
        (["--shard", "x"], ["--shard = x"]),
        (["--set", "task.control_hz=30"], ["task.control_hz"]),
        (["--set", "task.record.what=[stress]"], ["task.record.what = [stress]", "known: state, wrench, contacts"]),
        (["--set", "task.record.what=[state, state]"], ["named once"]),
    ],
)
def test_bad_requests_are_told_in_a_line(push, tmp_path, more, words):
    expect_bad_input(run(*words_of(push, tmp_path / "d", 2, *more)), *words)
    assert not (tmp_path / "d").exists()


def test_a_scenario_without_a_task_is_refused(tmp_path):
    (tmp_path / "s.yaml").write_text(PUSH[: PUSH.index("task:")])
    expect_bad_input(run(*words_of(tmp_path / "s.yaml", tmp_path / "d")), "task")


def test_folders_of_other_things_are_refused(push, tmp_path):
    (tmp_path / "full").mkdir()
    (tmp_path / "full/notes.txt").write_text("mine")
    expect_bad_input(run(*words_of(push, tmp_path / "full")), "holds notes.txt and no dataset.yaml")
    assert [path.name for path in (tmp_path / "full").iterdir()] == ["notes.txt"]
    for verb in (["dataset"], ["replay", "--episode", 0]):
        expect_bad_input(run(verb[0], tmp_path / "full", *verb[1:]), "no dataset")
        expect_bad_input(run(verb[0], tmp_path / "none", *verb[1:]), "no such folder")


def test_a_damaged_block_is_told_and_made_again(push, tmp_path):
    generate(push, tmp_path / "d", 6, "--block", 2)
    before = files(tmp_path / "d")
    path = tmp_path / "d/blocks/000001.h5"
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    done = run("dataset", tmp_path / "d", "--json")
    assert done.returncode == 1 and done.stderr.count("\n") == 1
    assert len(json.loads(done.stdout)["damage"]) == 1
    assert f"{path}: its sum is not" in done.stderr and "remove" in done.stderr
    expect_bad_input(run("replay", tmp_path / "d", "--episode", 2), "000001.h5")
    assert run("replay", tmp_path / "d", "--episode", 1).returncode == 0
    path.with_suffix(".json").unlink()
    assert dataset(tmp_path / "d")["missing_blocks"] == [1]
    expect_bad_input(run("replay", tmp_path / "d", "--episode", 2), "not made yet")
    generate(push, tmp_path / "d", 6, "--block", 2)
    assert files(tmp_path / "d") == before


def test_a_full_disk_is_one_line_and_breaks_nothing(push, tmp_path):
    generate(push, tmp_path / "plain", 6, "--block", 3)
    size = (tmp_path / "plain/blocks/000000.h5").stat().st_size
    done = subprocess.run(
        list(map(str, [BINARY, *words_of(push, tmp_path / "d", 6, "--block", 3)])),
        capture_output=True,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size // 2, size // 2)),
    )
    assert done.returncode == 1 and done.stderr.count("\n") == 1, done.stderr
    assert "cannot write" in done.stderr and "blocks/" in done.stderr
    assert dataset(tmp_path / "d")["episodes"] == 0
    generate(push, tmp_path / "d", 6, "--block", 3)
    assert files(tmp_path / "d") == files(tmp_path / "plain")


def test_a_folder_that_cannot_be_made_is_one_line(push):
    done = run(*words_of(push, "/proc/nodia_dataset"))
    assert done.returncode == 1 and done.stderr.count("\n") == 1, done.stderr


def test_replay_has_every_bit(push, tmp_path):
    generate(push, tmp_path / "d", 20, "--block", 8)
    ended = {}
    for episode in episodes_of(tmp_path / "d"):
        done = run("replay", tmp_path / "d", "--episode", episode["episode"], "--json")
        assert done.returncode == 0, done.stderr
        report = json.loads(done.stdout)
        assert report["equal"] and report["steps"] == episode["steps"]
        ended[report["status"]] = episode["episode"]
    assert "good" in ended
    done = run("replay", tmp_path / "d", "--episode", ended["good"], "--step", 2)
    assert "2 control steps: every bit as recorded" in done.stdout
    expect_bad_input(run("replay", tmp_path / "d", "--episode", 20), "--episode = 20")


def test_replay_leaves_a_run(push, tmp_path):
    generate(push, tmp_path / "d", 1, *GOOD)
    done = run("replay", tmp_path / "d", "--episode", 0, "--out", tmp_path / "run")
    assert done.returncode == 0, done.stderr
    assert "good; whole: 4 files, 20 steps" in run("verify", tmp_path / "run").stdout
    with h5py.File(tmp_path / "run/trajectory.vtkhdf") as file, h5py.File(
        tmp_path / "d/blocks/000000.h5"
    ) as block:
        points = file["VTKHDF/Points"][:].reshape(21, 18, 3)
        np.testing.assert_array_equal(points[4::4], block["episode_000000/state/x"][:])
        of_run, of_dataset = file["nodia/contacts"], block["episode_000000/contacts"]
        assert set(of_dataset) - {"offsets"} == {with_unit(name) for name in of_run} - {"offsets", "bodies"}
        first, last = of_run["offsets"][4::4], of_run["offsets"][5::4]
        assert of_dataset["offsets"][-1] == (last - first).sum() > 0
        for name in set(of_run) - {"offsets", "bodies"}:
            values = of_dataset[with_unit(name)]
            expected = np.concatenate([of_run[name][a:b] for a, b in zip(first, last)])
            np.testing.assert_array_equal(values[:], expected.astype(values.dtype), err_msg=name)


def with_unit(name):
    """Name of a quantity of a contact in datasets. @param name  in trajectories"""
    units = {"position": "m", "force": "N", "slip_velocity": "m_s", "gap_end": "m"}
    return f"{name}_{units[name]}" if name in units else name


def test_a_dataset_that_was_moved_is_replayed_and_goes_on(tmp_path):
    scenario = SOURCE / "scenarios/quick_lift/quick_lift.yaml"
    words = ["--set", "time.duration_s=0.3"]
    report = generate(scenario, tmp_path / "d", 2, *words)
    assert report["quarantined"] == 0 and report["steps"] == 16
    shutil.move(tmp_path / "d", tmp_path / "elsewhere")
    done = run("replay", tmp_path / "elsewhere", "--episode", 1)
    assert done.returncode == 0, done.stderr
    assert generate(scenario, tmp_path / "elsewhere", 2, *words)["made_episodes"] == 0


def test_a_log_acts_and_belongs_to_the_request(push, tmp_path):
    log = tmp_path / "log.csv"
    log.write_text("time_s,plate.x,plate.y,plate.z\n0,0.0078125,0,0\n0.08,0,0,0.015625\n")
    words = (*GOOD, "--set", f"task.policy={log}")
    generate(push, tmp_path / "d", 2, *words)
    with h5py.File(tmp_path / "d/blocks/000000.h5") as file:
        actions = file["episode_000001/action"][:]
    np.testing.assert_array_equal(actions[:, 0], [0.0078125, 0.0078125, 0, 0, 0])
    np.testing.assert_array_equal(actions[:, 2], [0, 0, 0.015625, 0.015625, 0.015625])
    assert run("replay", tmp_path / "d", "--episode", 1).returncode == 0
    log.write_text(log.read_text().replace("0.0078125", "0.01"))
    expect_bad_input(run(*words_of(push, tmp_path / "d", 2, *words)), "scenario.task.policy = ")
    log.write_text("time_s,plate.x\n0,0.01\n")
    expect_bad_input(run(*words_of(push, tmp_path / "e", 2, *words)), "log.csv:1")
    assert not (tmp_path / "e").exists()


TETRAHEDRON = """\
$MeshFormat
2.2 0 8
$EndMeshFormat
$Nodes
4
1 0 0 0
2 {0} 0 0
3 0 {0} 0
4 0 0 {0}
$EndNodes
$Elements
1
1 4 2 0 1 1 2 3 4
$EndElements
"""


def test_files_of_choices_are_in_the_folder(push, tmp_path):
    for name, edge_m in (("small", 0.05), ("large", 0.1)):
        (tmp_path / f"{name}.msh").write_text(TETRAHEDRON.format(edge_m))
    text = push.read_text().replace("{box: {size_m: [0.1, 0.1, 0.05], cells: [2, 2, 1]}}", "{file: small.msh}")
    choice = "  bodies.box.position_m.1: [-0.01, 0.01]\n  bodies.box.mesh.file: {choice: [small.msh, large.msh]}\n"
    push.write_text(text.replace("  bodies.box.position_m.1: [0, 1020]\n", choice))
    generate(push, tmp_path / "d", 8)
    drawn = {episode["drawn"]["bodies.box.mesh.file"] for episode in episodes_of(tmp_path / "d")}
    assert {(tmp_path / "d" / name).read_text() for name in drawn} == {TETRAHEDRON.format(x) for x in (0.05, 0.1)}
    for name in ("small.msh", "large.msh", "push.yaml"):
        (tmp_path / name).unlink()
    shutil.move(tmp_path / "d", tmp_path / "elsewhere")
    for episode in range(8):
        assert run("replay", tmp_path / "elsewhere", "--episode", episode).returncode == 0


RING = """\
rigid_bodies:
  ring: {shape: torus, radius_m: 0.1, tube_radius_m: 0.05, mass_kg: 1, position_m: [5, 0, 0.5]}
"""


@pytest.mark.parametrize(("tube", "good"), [("[0.05, 0.15]", True), ("[0.2, 0.3]", False)])
def test_a_draw_that_makes_no_scene_is_drawn_again(push, tmp_path, tube, good):
    """A tube as thick as its ring is refused, and so is what episode 0 draws first at some seeds."""
    rule = f"randomize:\n  rigid_bodies.ring.tube_radius_m: {tube}\n"
    push.write_text(push.read_text().replace("randomize:\n", RING + rule))
    attempts = []
    for seed in (1, 3, 4):
        made = generate(push, tmp_path / f"d{seed}", 2, *GOOD, "--seed", seed)
        assert made["causes"] == ({} if good else {"no_valid_start": 2})
        attempts += [episode["attempt"] for episode in episodes_of(tmp_path / f"d{seed}")]
        told = run("dataset", tmp_path / f"d{seed}").stdout
        first = next((e for e in episodes_of(tmp_path / f"d{seed}") if e["attempt"] > 0), None)
        if first:
            again = f"episode {first['episode']}: {first['refused'][0]}"
            assert "starts were rejected and resampled" in told and again in told and "tube_radius_m" in again
            assert made["first_redrawn"] == {"episode": first["episode"], "why": first["refused"][0]}
        assert ("no_valid_start, first in episode 0: " in told) == (not good)
    assert not good or max(attempts[::2]) > 0, attempts


def test_sums_do_not_depend_on_how_the_folder_is_named(push, tmp_path):
    """Not even where an episode tells which of its files cannot be read."""
    (tmp_path / "good.msh").write_text(TETRAHEDRON.format(0.05))
    (tmp_path / "bad.msh").write_text("no mesh")
    text = push.read_text().replace("{box: {size_m: [0.1, 0.1, 0.05], cells: [2, 2, 1]}}", "{file: good.msh}")
    choice = "  bodies.box.mesh.file: {choice: [good.msh, bad.msh]}\n"
    push.write_text(text.replace("  bodies.box.position_m.1: [0, 1020]\n", choice))
    sums = {}
    for name in ("d", "assets"):
        for folder in (name, f"./{name}", f"{name}/", f"{name}/../{name}", tmp_path / name):
            shutil.rmtree(tmp_path / name, ignore_errors=True)
            done = run(*words_of(push, folder, 8, "--seed", 8), "--json", cwd=tmp_path)
            assert done.returncode == 0, done.stderr
            sums[folder] = dataset(tmp_path / name)["content_sha256"]
            assert json.loads(done.stdout)["redrawn"] > 0
            with h5py.File(tmp_path / name / "blocks/000000.h5") as file:
                refused = [text for episode in file.values() for text in episode.attrs.get("refused", [])]
            assert refused
            for text in refused:
                assert text.startswith("dataset.yaml:") and ".mesh: assets/" in text, text
    assert len(set(sums.values())) == 1, sums


def test_estimates_are_those_of_steps_that_no_floor_ended(push, tmp_path):
    generate(push, tmp_path / "d", 1, *GOOD)
    done = run("replay", tmp_path / "d", "--episode", 0, "--out", tmp_path / "run")
    assert done.returncode == 0, done.stderr
    told = json.loads((tmp_path / "run/summary.json").read_text())
    with h5py.File(tmp_path / "d/blocks/000000.h5") as file:
        quality = {name: array[:] for name, array in file["episode_000000/quality"].items()}
    estimate, ended = quality["error_estimate"], quality["floor_ended"]
    assert ended.sum() == told["floor_ended_steps"]
    assert quality["fell_back"].sum() == told["fell_back_steps"]
    assert np.nanmax(estimate, initial=0) == told["error_estimate_max"]
    assert np.all(ended[np.isnan(estimate)] == ended.max())


def test_noise_stands_beside_the_truth(push, tmp_path):
    words = ("--set", "task.noise={box.nodes: 1e-3}", "--set", "task.delay_steps=1", *GOOD)
    generate(push, tmp_path / "d", 2, *words)
    generate(push, tmp_path / "plain", 2, *GOOD, "--set", "task.delay_steps=1")
    with h5py.File(tmp_path / "d/blocks/000000.h5") as file, h5py.File(tmp_path / "plain/blocks/000000.h5") as plain:
        for name in ("episode_000000", "episode_000001"):
            seen, truth = (file[name][f"{group}/box.nodes"][:] for group in ("observation", "truth"))
            np.testing.assert_array_equal(truth, plain[name]["observation/box.nodes"][:])
            assert 5e-4 < (seen - truth).std() < 2e-3
            assert file[name].attrs["delay_steps"] == 1 and "truth" not in plain[name]
        noise = [file[name]["observation/box.nodes"][0] - file[name]["truth/box.nodes"][0] for name in file]
        assert not np.array_equal(*noise)
    assert run("replay", tmp_path / "d", "--episode", 1).returncode == 0


def test_a_kill_at_any_moment_leaves_right_sums(tmp_path):
    """NODIA_ROUNDS=50 is the number of the promise."""
    push = tmp_path / "push.yaml"
    push.write_text(PUSH)
    plain, cut = tmp_path / "plain", tmp_path / "cut"
    began = time.monotonic()
    generate(push, plain, EPISODES, "--block", 2)
    whole_s = time.monotonic() - began
    chance = random.Random(11)
    n_killed = 0
    for _ in range(ROUNDS):
        children = [start(push, cut, EPISODES, "--block", 2) for _ in range(2)]
        time.sleep(chance.uniform(0, whole_s / ROUNDS))
        for child in children:
            child.kill()
            child.communicate()
            n_killed += child.returncode == -signal.SIGKILL
        if (cut / "dataset.yaml").exists():
            dataset(cut)
    assert n_killed > ROUNDS / 2
    generate(push, cut, EPISODES, "--block", 2)
    assert {name: data for name, data in files(cut).items() if not name.endswith(".tmp")} == files(plain)
