"""`nodia run --checkpoint-every S --resume`: the files of a run that never stopped, whatever stopped it."""

import json
import os
import random
import shutil
import signal
import subprocess
import time

import h5py
import numpy as np
import pytest
from nodia_command import BINARY, SLIDING_BOX, expect_bad_input, needs_nodia, run

pytestmark = needs_nodia

CHECKED = """checks:
  converged: {check: all_steps_converged}
  in_the_cone: {check: friction_in_cone}
  in_time: {check: node_position, body: box, axis: x, of: mean, at_s: 0.3, above_m: -1}
  drift: {check: drift, body: box, from_s: 0.1, to_s: 0.55, bound_m_s: 5}
  balance: {check: force_balance, from_s: 0.1, to_s: 0.5, relative_tolerance: 0.5}
  energy: {check: energy_non_increasing, from_s: 0, to_s: 0.6, tolerance_J: 1}
  carried: {check: weight_on_obstacle, obstacle: floor, from_s: 0.2, to_s: 0.6, relative_tolerance: 1}
"""
N_STEP = 400
PARTS = ["--set", "output.part_frames=7"]


@pytest.fixture
def folder(tmp_path):
    text = SLIDING_BOX.split("checks:")[0] + CHECKED
    (tmp_path / "S.yaml").write_text(text + "randomize: {bodies.box.friction: [0.1, 0.9]}\n")
    return tmp_path


def words(out, envs, *more):
    batch = ["--envs", envs, "--record-envs", "all"] if envs > 1 else []
    return ["run", "S.yaml", "--seed", 3, "--steps", N_STEP, *PARTS, *batch, "--checkpoint-every", 0.5, "--out", out, *more]


def datasets(path):
    with h5py.File(path) as file:
        found = {}
        file.visititems(lambda name, item: found.update({name: item[()]}) if isinstance(item, h5py.Dataset) else None)
        return found


def without_times(summary):
    timed = ("wall", "_ms", "time_of", "machine", "directory", "steps_per_s", "factor", "speed", "checksum", "steps_csv")
    if isinstance(summary, dict):
        return {k: without_times(v) for k, v in summary.items() if not any(t in k for t in timed)}
    return [without_times(v) for v in summary] if isinstance(summary, list) else summary


def rows_without_times(path):
    lines = path.read_text().splitlines()
    names = lines[0].split(",")
    kept = [k for k, name in enumerate(names) if not name.endswith("_ms")]
    return [[line.split(",")[k] for k in kept] for line in lines]


def assert_same_run(a, b):
    assert {p.name for p in a.iterdir()} == {p.name for p in b.iterdir()}
    for path in a.glob("*.vtkhdf"):
        one, other = datasets(path), datasets(b / path.name)
        assert one.keys() == other.keys()
        for name in one:
            assert np.array_equal(one[name], other[name], equal_nan=one[name].dtype.kind == "f"), name
    assert rows_without_times(a / "steps.csv") == rows_without_times(b / "steps.csv")
    one, other = (without_times(json.loads((p / "summary.json").read_text())) for p in (a, b))
    assert one == other


def kill_after(folder, arguments, seconds, signal_number):
    process = subprocess.Popen(
        [str(BINARY), *map(str, arguments)], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    time.sleep(seconds)
    process.send_signal(signal_number)
    return process.wait(timeout=20)


@pytest.mark.parametrize("envs", [1, 3])
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_a_run_that_was_stopped_again_and_again_leaves_the_files_of_one_that_was_not(folder, envs, how):
    whole = run(*words("whole", envs), cwd=folder)
    assert whole.returncode == 0, whole.stderr
    assert not (folder / "whole/checkpoint.nodia").exists()
    started = time.monotonic()
    run(*words("timed", envs), cwd=folder)
    length = time.monotonic() - started
    chance = random.Random(envs * how)
    stopped = 0
    for _ in range(60):
        code = kill_after(folder, words("cut", envs, "--resume"), chance.uniform(0.05, 0.8) * length, how)
        if (folder / "cut/checkpoint.nodia").exists():
            stopped += code != 0
            verdict = run("verify", "cut", cwd=folder)
            assert "checkpoint.nodia" not in verdict.stderr, verdict.stderr
        elif stopped < 3 and code == 0:
            shutil.rmtree(folder / "cut")  # it came to its end
        if stopped >= 3:
            break
    assert stopped >= 3
    last = run(*words("cut", envs, "--resume"), cwd=folder)
    assert last.returncode == 0, last.stderr
    assert_same_run(folder / "whole", folder / "cut")


def test_a_job_that_is_killed_in_its_first_second_and_requeued_ends_in_one_folder(folder):
    """Also if it is killed before its first checkpoint, or before it has written its configuration."""
    whole = run(*words("whole", 1), cwd=folder)
    assert whole.returncode == 0, whole.stderr
    chance = random.Random(7)
    ends = 0
    for _ in range(30):
        ends += kill_after(folder, words("cut", 1, "--resume"), chance.uniform(0, 1), signal.SIGKILL) == 0
        assert [path.name for path in folder.glob("cut*")] in ([], ["cut"])
    last = run(*words("cut", 1, "--resume"), cwd=folder)
    assert last.returncode == 0, last.stderr
    assert_same_run(folder / "whole", folder / "cut")
    assert [path.name for path in folder.glob("cut*")] == ["cut"]


@pytest.mark.parametrize("left", [["steps.csv"], ["steps.csv", "checkpoint.nodia"], ["steps.csv", "config.yaml"]])
def test_a_run_without_a_first_checkpoint_starts_again_in_its_folder(folder, left):
    run(*words("whole", 1), cwd=folder)
    cut_run(folder)
    for path in (folder / "cut").iterdir():
        if path.name not in left:
            path.unlink()
    again = run(*words("cut", 1, "--resume"), cwd=folder)
    assert again.returncode == 0, again.stderr
    assert "the run in cut has no checkpoint yet: it starts again" in again.stderr
    assert_same_run(folder / "whole", folder / "cut")


def test_results_without_a_configuration_are_not_replaced(folder):
    run(*words("cut", 1), cwd=folder)
    (folder / "cut/config.yaml").unlink()
    again = run(*words("cut", 1, "--resume"), cwd=folder)
    assert again.returncode == 0 and (folder / "cut-2/summary.json").exists(), again.stderr


def test_rows_that_were_changed_since_the_checkpoint_are_not_continued(folder):
    cut_run(folder)
    table = folder / "cut/steps.csv"
    data = bytearray(table.read_bytes())
    data[len(data) // 4] ^= 1
    table.write_bytes(data)
    expect_bad_input(run(*words("cut", 1, "--resume"), cwd=folder), "steps.csv", "are not those of the checkpoint")


def cut_run(folder, envs=1):
    """A run that lost its last half after a checkpoint, as a kill leaves it."""
    arguments = words("cut", envs)
    arguments[arguments.index("--steps") + 1] = N_STEP
    process = subprocess.Popen([str(BINARY), *map(str, arguments)], cwd=folder, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    checkpoint = folder / "cut/checkpoint.nodia"
    table = folder / "cut/steps.csv"
    # The first checkpoint with steps is that after 0.5 s, 50 steps.
    while process.poll() is None and not (table.exists() and table.read_bytes().count(b"\n") > 52 * envs):
        time.sleep(0.001)
    process.kill()
    process.wait()
    assert checkpoint.exists()
    return checkpoint


def test_what_is_behind_the_checkpoint_is_taken_back(folder):
    run(*words("whole", 1), cwd=folder)
    cut_run(folder)
    with open(folder / "cut/steps.csv", "a") as table:
        table.write("0,9999,1\n0,10")  # rows that came after it, the last one cut
    again = run(*words("cut", 1, "--resume"), cwd=folder)
    assert again.returncode == 0, again.stderr
    assert "continues the run in cut after step" in again.stderr
    assert_same_run(folder / "whole", folder / "cut")


def test_a_run_that_has_ended_is_left_as_it_is(folder):
    first = run(*words("whole", 1, "--resume"), cwd=folder)
    assert first.returncode == 0, first.stderr  # there was none: it began one
    before = {p: p.read_bytes() for p in (folder / "whole").iterdir()}
    again = run(*words("whole", 1, "--resume", "--json"), cwd=folder)
    assert again.returncode == 0
    assert "the run in whole has ended" in again.stderr
    assert json.loads(again.stdout)["format"] == "nodia_summary"
    assert {p: p.read_bytes() for p in (folder / "whole").iterdir()} == before


def test_what_cannot_be_gone_on_with_is_refused_in_words_and_left_alone(folder):
    checkpoint = cut_run(folder)
    (folder / "cut/nodia.lock").unlink()  # of the process that was killed
    before = {p: p.read_bytes() for p in (folder / "cut").iterdir()}

    def refused(*more, arguments=None):
        result = run(*(arguments or words("cut", 1, "--resume")), *more, cwd=folder)
        assert result.returncode == 2, result.stdout
        assert len(result.stderr.strip().splitlines()) == 1
        return result.stderr

    other_value = refused("--set", "time.step_s=0.02")
    assert "--resume: cut/config.yaml:" in other_value and "step_s" in other_value
    assert "one of them" in refused("--overwrite")
    never = [0 if word == 0.5 else word for word in words("new", 1)]
    assert "--checkpoint-every = 0" in refused(arguments=never)
    whole = checkpoint.read_bytes()
    for damaged, reason in [
        (whole[:-1], "damaged"),
        (whole[:100], "damaged"),
        (b"", "is no checkpoint"),
        (whole[:-9] + bytes([whole[-9] ^ 1]) + whole[-8:], "damaged"),
    ]:
        checkpoint.write_bytes(damaged)
        assert reason in refused()
    checkpoint.write_bytes(whole)
    assert {p: p.read_bytes() for p in (folder / "cut").iterdir()} == before
    assert not os.path.exists(folder / "new")


def test_a_checkpoint_that_is_damaged_is_found(folder):
    checkpoint = cut_run(folder)
    checkpoint.write_bytes(checkpoint.read_bytes()[:-1])
    assert "checkpoint.nodia" in run("verify", "cut", cwd=folder).stdout + run("verify", "cut", cwd=folder).stderr
