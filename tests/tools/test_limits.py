"""Threads and memory: no more threads than cores unasked, no idle ones, and an end where memory is short."""

import json
import os
import re
import resource
import subprocess
import time

import pytest
from nodia_command import BINARY, expect_bad_input, needs_nodia, run, scenario

pytestmark = needs_nodia
__all__ = ["scenario"]

N_CORE = len(os.sched_getaffinity(0))


def test_threads_are_capped_at_the_cores(scenario, tmp_path):
    words = ["run", scenario, "--steps", 2]
    done = run(*words, "--threads", 1000, "--out", tmp_path / "a")
    assert done.returncode == 0
    assert f"{N_CORE} threads, not 1000: there are no more cores (--oversubscribe" in done.stderr
    done = run(*words, "--oversubscribe", "--threads", N_CORE + 1, "--out", tmp_path / "b")
    assert done.returncode == 0 and done.stderr == ""
    done = run("run", scenario, "--steps", 2, "--out", tmp_path / "c", environment={"OMP_NUM_THREADS": "99"})
    assert done.returncode == 0 and f"{N_CORE} threads, not 99" in done.stderr


def test_threads_of_the_bench_are_capped_too():
    done = run("bench", "--nodes", 200, "--cases", "assembly", "--threads", 999, "--rounds", 1, "--json")
    assert done.returncode == 0
    assert f"{N_CORE} threads, not 999" in done.stderr
    assert [row["threads"] for row in json.loads(done.stdout)["rows"]] == [N_CORE]


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


@pytest.mark.parametrize("policy", [{}, {"OMP_WAIT_POLICY": "active"}, {"GOMP_SPINCOUNT": "7"}])
def test_threads_that_wait_sleep_soon_unless_told_otherwise(scenario, tmp_path, policy):
    """Spinning for milliseconds takes the cores of other programs, and of the threads waited for."""
    words = ["run", scenario, "--steps", 1_000_000, "--out", tmp_path / "r"]
    unset = {k: v for k, v in os.environ.items() if k not in ("OMP_WAIT_POLICY", "GOMP_SPINCOUNT")}
    child = subprocess.Popen(list(map(str, [BINARY, *words])), env=unset | policy)
    try:
        deadline = time.monotonic() + 60
        while not (tmp_path / "r/steps.csv").exists() and time.monotonic() < deadline:
            time.sleep(0.01)
        with open(f"/proc/{child.pid}/environ") as file:
            entries = file.read().split("\0")
    finally:
        child.kill()
        child.wait(60)
    expected = policy or {"GOMP_SPINCOUNT": "1000"}
    told = dict(entry.split("=", 1) for entry in entries if entry.startswith(("OMP_WAIT", "GOMP_SPIN")))
    assert told == expected


# NODIA_ROUNDS=9 takes every step of 20 MB, otherwise every sixth.
LIMITS = range(60, 1001, 20 if int(os.environ.get("NODIA_ROUNDS", "2")) >= 9 else 120)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("megabytes", LIMITS)
def test_a_run_in_little_memory_ends(scenario, tmp_path, megabytes, threads):
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (megabytes * 1_000_000, megabytes * 1_000_000))

    words = ["run", scenario, "--steps", 5, "--threads", threads, "--oversubscribe", "--out", tmp_path / "r"]
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


def test_memory_is_estimated_and_too_much_is_refused(scenario, tmp_path):
    told = run("info", scenario, "--envs", 1000)
    assert told.returncode == 0
    assert "about 171 MB for 1000 environments" in told.stdout.replace("\n", " ")
    for nodes in (3000, 10_000, 30_000, 100_000):
        mesh = f"{{ball: {{radius_m: 0.2, nodes: {nodes}}}}}"
        ball = f"bodies={{b: {{mesh: {mesh}, youngs_modulus_Pa: 1e6, poissons_ratio: 0.3}}}}"
        need = json.loads(run("info", scenario, "--set", ball, "--envs", 100_000, "--json").stdout)
        assert need["format"] == "nodia_info_scenario"
        if need["memory_bytes"] > need["available_bytes"]:
            break
    assert need["memory_bytes"] > need["available_bytes"]
    began = time.monotonic()
    done = run("run", scenario, "--set", ball, "--envs", 100_000, "--out", tmp_path / "r")
    expect_bad_input(done, "memory: about", "for 100000 environments", "that are free")
    assert time.monotonic() - began < 20
    assert not (tmp_path / "r").exists()


def test_the_estimate_is_near_what_a_run_takes(scenario, tmp_path):
    for settings in ([], ["--set", "bodies.box.mesh={box: {size_m: [0.1, 0.1, 0.05], cells: [20, 20, 10]}}"]):
        words = ["--envs", 40, *settings]
        need = json.loads(run("info", scenario, *words, "--json").stdout)["memory_bytes"]
        out = tmp_path / f"r{len(settings)}"
        command = [BINARY, "run", scenario, *words, "--steps", 1_000_000, "--out", out]
        child = subprocess.Popen(list(map(str, command)), stderr=subprocess.DEVNULL)
        try:
            deadline = time.monotonic() + 60
            while time.monotonic() < deadline:
                if (out / "steps.csv").exists() and (out / "steps.csv").read_bytes().count(b"\n") > 120:
                    break
                time.sleep(0.01)
            with open(f"/proc/{child.pid}/status") as status:
                peak_kB = int(re.search(r"VmHWM:\s+(\d+)", status.read()).group(1))
        finally:
            child.kill()
            child.wait(60)
        assert 0.4 < 1024 * peak_kB / need < 2.5
