"""Kills and interrupts at random moments of every verb: what was there stays, what was closed is whole.

NODIA_ROUNDS=9 tries as many of each (otherwise two); every round has its own seed.
"""

import contextlib
import json
import os
import random
import shutil
import signal
import subprocess
import time

import h5py
import pytest
from nodia_command import BINARY, SLIDING_BOX, needs_nodia, run, scenario

pytestmark = needs_nodia
__all__ = ["scenario"]

ROUNDS = int(os.environ.get("NODIA_ROUNDS", "2"))
MOST_S = 5  # on a busy machine, see docs/reliability.md for what was measured
PARTS = ["--set", "output.part_frames=7"]

# Words, and how much of the verb the moments are drawn from at most [s].
VERBS = {
    "run": (["run", "S.yaml", "--steps", 100_000, "--out", "r", *PARTS], 0.6),
    "batch": (["run", "S.yaml", "--steps", 100_000, "--envs", 6, "--record-envs", "all", "--out", "r", *PARTS], 0.6),
    "overwrite": (["run", "S.yaml", "--steps", 100_000, "--overwrite", "--out", "earlier", *PARTS], 0.6),
    "compare": (["compare", "S.yaml", "--steps", 40, "--every", 2, "--json"], 0.8),
    "accuracy": (["compare", "--suite", "accuracy", "--cases", "soft_ball", "--out", "a"], 2),
    "scale": (["scale", "S.yaml", "--nodes", "500,2000,8000", "--out", "s"], 1.5),
    "solve": (["solve", "S.yaml", "--step", 20, "--out", "answer.h5"], 0.1),
    "bench": (["bench", "--nodes", "2000", "--out", "b"], 2),
    "study": (["study", "lu_fig3"], 0.3),
    "verify": (["verify", "earlier"], 0.05),
    "render": (["render", "earlier", "--out", "picture.png"], 2),
    "info": (["info", "S.yaml"], 0.05),
}


@pytest.fixture(scope="module")
def earlier(tmp_path_factory):
    """A folder as a user has it: a run, notes, a table."""
    folder = tmp_path_factory.mktemp("user")
    (folder / "S.yaml").write_text(SLIDING_BOX)
    (folder / "notes.txt").write_text("mine\n")
    (folder / "c.dat").write_bytes(bytes(range(256)))
    assert run("run", "S.yaml", "--steps", 40, "--out", "earlier", *PARTS, cwd=folder).returncode == 0
    (folder / "earlier/notes.txt").write_text("mine too\n")
    return folder


def contents(folder):
    return {p.relative_to(folder): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def start(folder, verb):
    words = [str(BINARY), *map(str, VERBS[verb][0])]
    return subprocess.Popen(
        words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )


def time_of(folder, verb):
    """Seconds that the verb takes, as far as moments are drawn from them."""
    shutil.copytree(folder, folder.with_name("whole"))
    began = time.monotonic()
    child = start(folder.with_name("whole"), verb)
    with contextlib.suppress(subprocess.TimeoutExpired):
        child.wait(VERBS[verb][1])
    took = min(time.monotonic() - began, VERBS[verb][1])
    child.kill()
    child.communicate()
    shutil.rmtree(folder.with_name("whole"))
    return took


def check_files(folder, before, verb):
    """Nothing of the user's is changed; every trajectory under its own name, and every closed part, can be read."""
    after = contents(folder)
    for path, data in before.items():
        if verb == "overwrite" and path.parts[0] == "earlier" and path.name != "notes.txt":
            continue
        assert after.get(path) == data, path
    for path in after:
        if path.suffix == ".vtkhdf":
            with h5py.File(folder / path) as file:
                n_frame = int(file["VTKHDF/Steps"].attrs["NSteps"])
                assert file["VTKHDF/Steps/Values"][:].shape == (n_frame,)
                assert file["VTKHDF/PointData/velocity"][:].shape[0] % n_frame == 0
        if path.name == "steps.csv":
            rows = after[path].decode().split("\n")
            assert len({row.count(",") for row in rows[:-1]}) <= 1
        if path.suffix == ".json":
            json.loads(after[path])


@pytest.mark.parametrize("number", ["SIGKILL", "SIGINT"])
@pytest.mark.parametrize("verb", VERBS)
def test_files_are_whole_whenever_it_ends(earlier, tmp_path, verb, number):
    slowest = 0
    whole = time_of(earlier, verb)
    for seed in range(ROUNDS):
        folder = tmp_path / f"{seed}"
        shutil.copytree(earlier, folder)
        before = contents(folder)
        child = start(folder, verb)
        time.sleep(random.Random(f"{verb} {number} {seed}").random() * whole)
        ended_by_itself = child.poll() is not None
        began = time.monotonic()
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child.pid, getattr(signal, number))  # as a terminal does
        output, messages = child.communicate(timeout=60)
        slowest = max(slowest, time.monotonic() - began)
        if number == "SIGINT" and not ended_by_itself:
            # 0 where it was about to end, -2 before it could listen.
            assert child.returncode in (0, 130, -signal.SIGINT), messages
            assert "Traceback" not in messages
        check_files(folder, before, verb)
        if number == "SIGINT" and verb in ("run", "batch") and (folder / "r/summary.json").exists():
            assert run("verify", "r", cwd=folder).returncode == 0
        # What was killed is no obstacle.
        if verb == "run":
            again = run("run", "S.yaml", "--steps", 1, "--out", "r", cwd=folder)
            assert again.returncode == 0, again.stderr
        shutil.rmtree(folder)
    print(f"{verb} {number}: {ROUNDS} rounds, the slowest ended after {slowest:.2f} s")
    assert number == "SIGKILL" or slowest < MOST_S
