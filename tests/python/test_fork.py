"""Children of a process that has stepped simulations step some of their own, with the same bits."""

import multiprocessing
import subprocess
import sys

import nodia
import numpy as np
import pytest
from built_package import PACKAGE, SOURCE

SCENE = {
    "name": "fork",
    "time": {"step_s": 0.01},
    "bodies": {"box": {"mesh": {"box": {"size_m": [0.1, 0.1, 0.05], "cells": [2, 2, 1]}}, "position_m": [0, 0, 0.01]}},
    "obstacles": {"floor": {"shape": "half_space"}},
}


def nodes_after_steps(n_env):
    simulation = nodia.Simulation(nodia.Scenario(SCENE), num_envs=n_env, threads=2)
    simulation.step(5)
    return simulation.nodes("box")


@pytest.mark.parametrize("n_env", [1, 3])
def test_a_forked_child_steps_several_environments(n_env):
    expected = nodes_after_steps(3)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        for nodes in pool.map_async(nodes_after_steps, [n_env] * 4).get(timeout=100):
            assert np.array_equal(nodes, expected[:n_env])
    assert np.array_equal(nodes_after_steps(3), expected)


def test_more_environments_than_memory_are_refused_before_they_are_built():
    code = f"import nodia; nodia.Simulation({str(SOURCE / 'scenarios/quick_lift/quick_lift.yaml')!r}, num_envs=100_000)"
    done = subprocess.run([sys.executable, "-c", code], env={"PYTHONPATH": str(PACKAGE)}, capture_output=True, text=True, timeout=100)
    assert "memory: about" in done.stderr and "for 100000 environments" in done.stderr
