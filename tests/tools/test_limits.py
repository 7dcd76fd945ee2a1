"""Threads and memory: no more threads than cores unasked, no idle ones, and an end where memory is short."""

import os
import resource
import subprocess
import time

import pytest
from nodia_command import BINARY, needs_nodia, run, scenario

pytestmark = needs_nodia
__all__ = ["scenario"]

N_CORE = len(os.sched_getaffinity(0))


def test_threads_are_capped_at_the_cores(scenario, tmp_path):
    words = ["run", scenario, "--steps", 2, "--threads", 1000]
    done = run(*words, "--out", tmp_path / "a")
    assert done.returncode == 0
    assert f"{N_CORE} threads, not 1000: there are no more cores (--oversubscribe" in done.stderr
    done = run(*words, "--oversubscribe", "--threads", N_CORE + 1, "--out", tmp_path / "b")
    assert done.returncode == 0 and done.stderr == ""
    done = run("run", scenario, "--steps", 2, "--out", tmp_path / "c", environment={"OMP_NUM_THREADS": "99"})
    assert done.returncode == 0 and f"{N_CORE} threads, not 99" in done.stderr


def test_a_run_of_one_thread_has_no_idle_pool(scenario, tmp_path):
    """Its own thread and the one that waits for signals; a BLAS with threads would bring a pool."""
    words = ["run", scenario, "--steps", 1_000_000, "--threads", 1, "--out", tmp_path / "r"]
    child = subprocess.Popen(list(map(str, [BINARY, *words])))
    try:
        deadline = time.monotonic() + 60
        while not (tmp_path / "r/steps.csv").exists() and time.monotonic() < deadline:
            time.sleep(0.01)
        assert len(os.listdir(f"/proc/{child.pid}/task")) <= 2
    finally:
        child.kill()
        child.wait(60)


@pytest.mark.parametrize("megabytes", [60, 100, 140, 200, 300, 1000])
def test_a_run_in_little_memory_ends(scenario, tmp_path, megabytes):
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (megabytes * 1_000_000, megabytes * 1_000_000))

    words = ["run", scenario, "--steps", 5, "--out", tmp_path / "r"]
    done = subprocess.run(
        list(map(str, [BINARY, *words])),
        preexec_fn=limit,
        capture_output=True,
        text=True,
        timeout=20,
    )
    assert done.returncode in (0, 1, 127), done.stderr  # 127: not even its libraries fit
    assert (done.returncode == 0) == (done.stderr == "")
    if done.returncode == 0:
        assert (tmp_path / "r/summary.json").exists()
