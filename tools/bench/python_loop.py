#!/usr/bin/env python3
"""Compares the cost of a loop in Python with the loop in C++: environments of quick_lift that follow its paths, by
nodia.gym and by `nodia bench --cases task_step`, alternately.

Usage: tools/bench/python_loop.py [ENVIRONMENTS [ROUNDS]]    from a build of the tree, on a quiet machine
"""

import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "build/release/python"))

from nodia.gym import ScenarioVectorEnv, scenario_file  # noqa: E402

NODIA = ROOT / "build/release/bin/nodia"
SEED = 7
STEPS = 200  # time steps of an episode of quick_lift


def in_cpp(n_env):
    """Environment steps per second in C++."""
    words = [NODIA, "bench", "--cases", "task_step", "--envs", str(n_env), "--steps", "1", "--backend", "cpu", "--json"]
    found = subprocess.run(words, capture_output=True, text=True, check=True)
    return json.loads(found.stdout)["rows"][0]["env_steps_per_s"]


def in_python(envs):
    """Runs the same episodes in Python, including rewards and infos. @return environment steps per second"""
    envs.reset(seed=SEED)
    start = time.perf_counter()
    for _ in range(envs.actions_per_episode):
        envs.step(envs.script_actions())
    return envs.num_envs * STEPS / (time.perf_counter() - start)


def main(n_env=64, rounds=5):
    # The success cannot be reached, so every episode has its full length, like in the benchmark.
    envs = ScenarioVectorEnv(
        scenario_file("quick_lift"), n_env, overrides={"task.success.above_m": 10}, autoreset_mode="Disabled"
    )
    shares = []
    print(f"{n_env} environments of quick_lift, {os.cpu_count()} cores: environment steps a second")
    for k in range(rounds):
        if k % 2:
            python, cpp = in_python(envs), in_cpp(n_env)
        else:
            cpp, python = in_cpp(n_env), in_python(envs)
        shares.append(python / cpp)
        print(f"C++ {cpp:8.0f}    Python {python:8.0f}    {shares[-1]:.3f}", flush=True)
    print(f"median {statistics.median(shares):.3f}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:3]))
