"""The tasks of soft_ball, mat_folding and cable_winding: done by their paths wherever they are drawn, not by nothing."""

import itertools
import warnings

import gymnasium
import numpy as np
import pytest
import yaml
from built_package import SOURCE
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import SyncVectorEnv
from same_bits import equal

import nodia.gym
from nodia.gym import scenario_file as file_of
from nodia.notices import OverlapWarning

TASKS = {
    "nodia/SoftBallLift-v0": "soft_ball",
    "nodia/MatFold-v0": "mat_folding",
    "nodia/CableWind-v0": "cable_winding",
}
# Some control steps.
SHORT = {
    "soft_ball": {"time.duration_s": 0.16, "task.success.for_s": 0, "task.settle.at_most_s": 0.04},
    "mat_folding": {"time.duration_s": 0.08, "task.success.for_s": 0, "task.settle.at_most_s": 0.04},
    "cable_winding": {"time.duration_s": 0.4, "task.success.for_s": 0, "task.settle.at_most_s": 0.1},
}
every_task = pytest.mark.parametrize("name", TASKS)


def test_they_are_all_that_is_known_by_name():
    own = [name for name in gymnasium.registry if name.startswith("nodia/")]
    assert sorted(own) == sorted([*TASKS, "nodia/QuickLift-v0"])
    tasks = [file for file in SOURCE.glob("scenarios/*/*.yaml") if "\ntask:" in file.read_text()]
    assert {file.stem for file in tasks} == {*TASKS.values(), "quick_lift"}


@every_task
def test_check_env_has_nothing_to_say(name):
    env = gymnasium.make(name, render_mode="rgb_array", overrides=SHORT[TASKS[name]], threads=1).unwrapped
    env.action_space.seed(1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # Any action may press what is soft deep into something.
        warnings.simplefilter("ignore", OverlapWarning)
        check_env(env)


@every_task
def test_the_vector_form_has_the_bits_of_sync_vector_env(name, steps=5):
    keywords = {"overrides": SHORT[TASKS[name]], "threads": 1}
    vector = gymnasium.make_vec(name, num_envs=2, **keywords)
    sync = SyncVectorEnv([lambda: gymnasium.make(name, disable_env_checker=True, **keywords).unwrapped] * 2)
    assert vector.observation_space == sync.observation_space and vector.action_space == sync.action_space
    equal(vector.reset(seed=5), sync.reset(seed=5))
    vector.action_space.seed(1)
    ends = 0
    for k in range(steps):
        actions = vector.action_space.sample()
        ours, theirs = vector.step(actions), sync.step(actions)
        equal(ours, theirs, f"step {k}")
        ends += (ours[2] | ours[3]).sum()
    assert ends > 0


def episode(env, act, seed=None):
    """The info of its end, and how many actions it took. @param act  step -> action"""
    _, info = env.reset(seed=seed)
    assert info["at_rest"] and info["status"] == "converged"
    rewards = 0
    for k in range(env.unwrapped.actions_per_episode):
        observation, reward, terminated, truncated, info = env.step(act(k))
        assert env.observation_space.contains(observation)
        assert info["status"] == "converged" and not info["failed"], info
        rewards += reward
        if terminated or truncated:
            break
    assert rewards == info["success"] and (terminated, truncated) == (info["success"], not info["success"])
    return info, k + 1


def follows_its_paths(env, seed=None):
    def act(_):
        return env.unwrapped.script_action()

    info, actions = episode(env, act, seed)
    assert info["success"]
    return actions


@every_task
def test_the_script_does_it(name):
    assert follows_its_paths(gymnasium.make(name, disable_env_checker=True, threads=1), seed=3) > 40


@every_task
def test_the_script_does_it_at_every_corner_of_what_is_drawn(name):
    scenario = file_of(TASKS[name])
    ranges = drawn_ranges(scenario)
    for corner in itertools.product(*ranges.values()):
        follows_its_paths(nodia.gym.ScenarioEnv(scenario, overrides=dict(zip(ranges, corner, strict=True)), threads=1))


def drawn_ranges(scenario):
    """[low, high] by key of what is drawn."""
    ranges = yaml.safe_load(scenario.read_text())["randomize"]
    return {key: [float(bound) for bound in pair] for key, pair in ranges.items()}


@every_task
def test_doing_nothing_does_not_do_it(name):
    env = gymnasium.make(name, disable_env_checker=True, threads=1)
    info, actions = episode(env, lambda _: np.zeros(env.action_space.shape), seed=3)
    assert not info["success"] and actions == env.unwrapped.actions_per_episode


def test_a_ball_that_rolls_is_waited_for():
    """Seed 4 draws a soft ball, which stands on its mesh's edge first."""
    env = nodia.gym.ScenarioEnv(file_of("soft_ball"), threads=1)
    observation, info = env.reset(seed=4)
    assert info["at_rest"] and info["settle_time_s"] > 1
    rolled = observation["ball.nodes"].mean(axis=0)[:2]
    assert 1e-3 < np.hypot(*rolled) < 8e-3
    follows_its_paths(env, seed=4)


def test_an_open_gripper_lifts_nothing():
    env = nodia.gym.ScenarioEnv(file_of("soft_ball"), threads=1)
    info, _ = episode(env, lambda _: np.append(env.script_action()[:-1], 1), seed=3)
    assert not info["success"]


def test_a_mat_that_is_held_is_not_folded():
    """All the way of the paths, without letting go."""
    env = nodia.gym.ScenarioEnv(file_of("mat_folding"), threads=1)
    names = [name for name, *_ in env._environments.core.action_space]
    assert names[-1] == "clamp.hold"
    info, _ = episode(env, lambda _: np.append(env.script_action()[:-1], 1), seed=3)
    assert not info["success"]


def test_a_mat_that_is_let_go_early_is_not_folded():
    env = nodia.gym.ScenarioEnv(file_of("mat_folding"), threads=1)
    info, _ = episode(env, lambda k: np.append(env.script_action()[:-1], 1 if k < 50 else -1), seed=3)
    assert not info["success"]


def test_a_cable_that_is_wound_half_way_is_not_wound():
    env = nodia.gym.ScenarioEnv(file_of("cable_winding"), threads=1)
    info, _ = episode(env, lambda k: env.script_action() if k < 100 else np.zeros(3), seed=3)
    assert not info["success"]


@pytest.mark.parametrize("asked", ["all", "the turns alone"])
def test_a_cable_that_is_wound_but_slack_is_not_held(asked):
    """The arm keeps 4 mm from its path along x, from the last half turn on."""
    overrides = ["task.success.for_s=0.5"] + (["task.success_also=~"] if asked != "all" else [])
    env = nodia.gym.ScenarioEnv(file_of("cable_winding"), overrides=overrides, normalized=False, threads=1)
    info, _ = episode(env, lambda k: env.script_action() - np.array([0.004 if k >= 140 else 0, 0, 0]), seed=3)
    assert info["success"] == (asked != "all")


@every_task
def test_it_settles_once_for_an_episode(name):
    env = gymnasium.make(name, disable_env_checker=True, threads=1).unwrapped
    core = env._environments.core
    assert core.settle_steps == 0
    _, first = env.reset(seed=3)
    step_s = 0.01
    assert core.settle_steps == round(first["settle_time_s"] / step_s) > 0
    _, second = env.reset()
    assert core.settle_steps == round((first["settle_time_s"] + second["settle_time_s"]) / step_s)
