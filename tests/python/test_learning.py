"""examples/learning: what a small search finds, and what makes a lift good."""

import runpy

import numpy as np
import pytest
from built_package import SOURCE

import nodia.gym

EXAMPLE = SOURCE / "examples/learning/cross_entropy.py"


@pytest.fixture(scope="module")
def example():
    return runpy.run_path(str(EXAMPLE))


def test_it_is_short():
    lines = EXAMPLE.read_text().splitlines()
    assert len(lines) <= 60 and max(map(len, lines)) <= 120


def test_a_lift_needs_grip_and_a_speed_in_between(example):
    heavy = {"bodies.ball.density_kg_m3": [1000, 1000.001], "bodies.ball.friction": [0.3, 0.30001]}
    envs = nodia.gym.ScenarioVectorEnv(
        nodia.gym.scenario_file("quick_lift"),
        4,
        overrides=example["TASK"] | {"randomize": heavy},
        normalized=False,
    )
    settings = np.array([[18, 0.12], [4, 0.12], [18, 0.03], [12, 0.5]])
    assert example["lift"](envs, settings, np.full(4, 7)).tolist() == [True, False, False, False]
    again = example["lift"](envs, settings[::-1], np.full(4, 7))
    assert again.tolist() == [False, False, False, True], "whatever was lifted before"


def test_a_small_search_finds_more_than_chance(example):
    shares, found, by_chance, settings = example["search"](1, generations=3, candidates=8, draws=2)
    assert len(shares) == 3 and shares[-1] > shares[0]
    assert found > by_chance
    assert (settings >= example["LOW"]).all() and (settings <= example["HIGH"]).all()
