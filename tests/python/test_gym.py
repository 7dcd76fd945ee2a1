"""nodia.gym: the interface of Gymnasium, bits of the vector form against SyncVectorEnv, failures that stay alone."""

import runpy
import subprocess
import sys
import warnings

import gymnasium
import numpy as np
import pytest
from built_package import PACKAGE, SOURCE
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from same_bits import equal
from shown_commands import code_blocks

import nodia.gym
from nodia.notices import OverlapWarning

QUICK_LIFT = nodia.gym.scenario_file("quick_lift")
SHORT = {"time.duration_s": 0.28, "task.settle.at_most_s": 0.04}  # 7 control steps
N = 3


def both(mode, **keywords):
    """The vector form, and SyncVectorEnv of the single one."""
    vector = nodia.gym.ScenarioVectorEnv(QUICK_LIFT, N, autoreset_mode=mode, **keywords)
    sync = SyncVectorEnv([lambda: nodia.gym.ScenarioEnv(QUICK_LIFT, **keywords)] * N, autoreset_mode=mode)
    return vector, sync


def test_check_env_has_nothing_to_say():
    env = gymnasium.make("nodia/QuickLift-v0", render_mode="rgb_array", overrides=SHORT).unwrapped
    env.action_space.seed(1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # Any action may press what is soft deep into something.
        warnings.simplefilter("ignore", OverlapWarning)
        check_env(env)


@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_the_vector_form_has_the_bits_of_sync_vector_env(mode, steps=24):
    vector, sync = both(mode, overrides=SHORT)
    assert vector.single_observation_space == sync.single_observation_space
    assert vector.observation_space == sync.observation_space and vector.action_space == sync.action_space
    assert vector.metadata == sync.metadata
    equal(vector.reset(seed=5), sync.reset(seed=5))
    vector.action_space.seed(1)
    random = np.random.default_rng(2)
    ends = 0
    for k in range(steps):
        actions = vector.action_space.sample()
        if random.random() < 0.05:
            actions[random.integers(N), 0] = np.nan
        ours, theirs = vector.step(actions), sync.step(actions)
        equal(ours, theirs, f"step {k}")
        ended = ours[2] | ours[3]
        ends += ended.sum()
        if mode == AutoresetMode.DISABLED and ended.any():
            seed = 100 + k if k % 2 else None
            mask = {"reset_mask": ended}  # which SyncVectorEnv takes out
            equal(vector.reset(seed=seed, options=dict(mask)), sync.reset(seed=seed, options=dict(mask)))
    assert ends > steps * N / 10


@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_the_same_over_500_steps(mode):
    test_the_vector_form_has_the_bits_of_sync_vector_env(mode, steps=500)


def test_episode_k_of_a_seed_is_that_of_the_scenario():
    settling = {"time.duration_s": 0.28}
    env = nodia.gym.ScenarioEnv(QUICK_LIFT, overrides=settling)
    world = nodia.Scenario(QUICK_LIFT, settling)
    first, info = env.reset(seed=5)
    assert (info["seed"], info["episode_index"]) == (5, 0) and info["at_rest"] and info["status"] == "converged"
    second, info = env.reset()
    assert (info["seed"], info["episode_index"]) == (5, 1)
    own = nodia.gym.ScenarioEnv(nodia.Scenario(world.episode(5, 1).yaml))
    equal(second, own.reset(seed=0)[0])
    again, _ = env.reset(seed=5)
    equal(first, again)
    apart, _ = nodia.gym.ScenarioVectorEnv(QUICK_LIFT, 2, overrides=settling).reset(seed=[900, 5])
    equal(first["ball.nodes"], apart["ball.nodes"][1])


def test_the_script_lifts_the_ball():
    envs = gymnasium.make_vec("nodia/QuickLift-v0", num_envs=2, autoreset_mode="SameStep")
    assert envs.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP
    envs.reset(seed=3)
    rewards = np.zeros(2)
    for _ in range(envs.unwrapped.actions_per_episode):
        _, reward, terminated, truncated, info = envs.step(envs.unwrapped.script_actions())
        rewards += reward
        assert not truncated.any()
        if terminated.any():
            assert info["final_info"]["success"][terminated].all()
            assert np.array_equal(info["_final_obs"], terminated)
        if (rewards > 0).all():
            break
    assert rewards.tolist() == [1, 1]


def test_nan_fails_two_of_64_and_leaves_the_others_their_bits():
    n, bad = 64, [7, 40]
    good = [env for env in range(n) if env not in bad]
    runs = [nodia.gym.ScenarioVectorEnv(QUICK_LIFT, n, autoreset_mode="Disabled", overrides=SHORT) for _ in range(2)]
    for envs in runs:
        envs.reset(seed=11)
    runs[0].action_space.seed(4)
    for k in range(3):
        actions = runs[0].action_space.sample()
        broken = actions.copy()
        if k == 1:
            broken[bad[0], 2], broken[bad[1], 3] = np.nan, np.inf
        if k == 2:
            with pytest.raises(ResetNeeded, match="environment 7"):
                runs[1].step(broken)
            break
        one, other = runs[0].step(actions), runs[1].step(broken)
        for name, values in one[0].items():
            assert values[good].tobytes() == other[0][name][good].tobytes(), name
        assert np.array_equal(one[1][good], other[1][good])
    info = other[4]
    assert np.flatnonzero(info["failed"]).tolist() == bad and np.flatnonzero(other[2]).tolist() == bad
    assert "(base_z) is nan" in info["cause"][7] and "(gripper) is inf" in info["cause"][40]
    assert all(info["status"][env] != "converged" and info["step"][env] == 5 for env in bad)
    assert not one[4]["failed"].any()


def test_a_reward_of_ones_own_sees_the_environment():
    def reward(observation, action, info):
        assert observation["ball.nodes"].ndim == 2 and action.shape == (4,) and info["success"] in (True, False)
        return observation["ball.nodes"][:, 2].min()

    vector, sync = both("NextStep", overrides=SHORT, reward=reward)
    vector.reset(seed=1), sync.reset(seed=1)
    actions = vector.action_space.sample()
    actions[1] = np.nan
    ours = vector.step(actions)
    equal(ours, sync.step(actions))
    assert ours[1][0] == ours[0]["ball.nodes"][0, :, 2].min() and ours[1][1] == 0


def test_what_is_beyond_the_bounds_is_told():
    env = nodia.gym.ScenarioEnv(QUICK_LIFT, overrides=SHORT)
    env.reset(seed=1)
    *_, info = env.step(np.array([1, 1.5, -1, 1]))
    assert info["clipped"].tolist() == [False, True, False, False]


def test_normalized_actions_stand_for_the_bounds():
    plain = nodia.gym.ScenarioEnv(QUICK_LIFT, overrides=SHORT, normalized=False)
    scaled = nodia.gym.ScenarioEnv(QUICK_LIFT, overrides=SHORT)
    assert scaled.action_space.low.tolist() == [-1] * 4 and plain.action_space.low.tolist() == [-0.02] * 3 + [0.03]
    for side, bound in (("low", -1), ("high", 1)):
        equal(plain.reset(seed=1), scaled.reset(seed=1))
        ours = scaled.step(np.full(4, bound))
        equal(ours, plain.step(getattr(plain.action_space, side)))
        assert not ours[4]["clipped"][3]
    low, high = plain.action_space.low, plain.action_space.high
    assert np.allclose(low + (scaled.script_action() + 1) / 2 * (high - low), plain.script_action(), rtol=0, atol=1e-16)


def test_noise_leaves_the_truth_beside_it_and_repeats():
    noise = {"task.noise": {"ball.nodes": 1e-3}, "randomize.task.delay_steps": {"integer": [0, 2]}}
    seen = []

    def reward(observation, action, info):
        seen.append(np.abs(observation["ball.nodes"] - info["true_observation"]["ball.nodes"]).max())
        return 0.0

    vector, sync = both("SameStep", overrides=SHORT | noise, reward=reward)
    plain = nodia.gym.ScenarioEnv(QUICK_LIFT, overrides=SHORT)
    (first, info), again = vector.reset(seed=5), sync.reset(seed=5)
    equal((first, info), again)
    truth, _ = plain.reset(seed=5)
    equal(info["true_observation"]["ball.nodes"][0], truth["ball.nodes"])
    equal(first["gripper.joints"][0], truth["gripper.joints"])
    vector.action_space.seed(1)
    for k in range(9):
        actions = vector.action_space.sample()
        equal(vector.step(actions), sync.step(actions), f"step {k}")
    assert all(1e-3 < difference < 1e-2 for difference in seen)
    assert len({str(vector.reset(seed=seed)[0]["ball.nodes"][1]) for seed in (5, 6, 7)}) == 3


def test_one_observation_is_a_box():
    env = nodia.gym.ScenarioEnv(QUICK_LIFT, overrides=SHORT | {"task.observe": ["ball.centre"]})
    observation, _ = env.reset(seed=1)
    assert isinstance(env.observation_space, gymnasium.spaces.Box) and env.observation_space.contains(observation)


def test_pictures():
    envs = nodia.gym.ScenarioVectorEnv(QUICK_LIFT, 2, overrides=SHORT, render_mode="rgb_array")
    envs.reset(seed=1)
    envs.step(envs.action_space.sample())
    one, other = envs.render()
    assert one.shape == (360, 480, 3) and one.dtype == np.uint8 and not np.array_equal(one, other)


def refused(match, error=nodia.InputError):
    return pytest.raises(error, match=match)


def test_bad_input_is_one_clear_line(box):
    with refused("task .must be given"):
        nodia.gym.ScenarioEnv(box)
    with refused("num_envs = 0 .must be >= 1"):
        nodia.gym.ScenarioVectorEnv(QUICK_LIFT, 0)
    with refused("autoreset_mode = Never .must be one of NextStep, SameStep, Disabled"):
        nodia.gym.ScenarioVectorEnv(QUICK_LIFT, autoreset_mode="Never")
    with refused("render_mode = human"):
        nodia.gym.ScenarioEnv(QUICK_LIFT, render_mode="human")
    with refused("reward = 3 .must be a function"):
        nodia.gym.ScenarioEnv(QUICK_LIFT, reward=3)
    with refused("overrides .must be left out"):
        nodia.gym.ScenarioEnv(nodia.Scenario(QUICK_LIFT), overrides=SHORT)
    with refused("scenario = lift .must be one of"):
        nodia.gym.scenario_file("lift")


def test_bad_calls_are_one_clear_line():
    envs = nodia.gym.ScenarioVectorEnv(QUICK_LIFT, 2, overrides=SHORT, autoreset_mode="Disabled")
    with refused("environment 0: reset", ResetNeeded):
        envs.step(np.zeros((2, 4)))
    envs.reset(seed=1)
    for shape in [(4,), (2, 3), (3, 4)]:
        with refused(r"actions: shape .* \(must be \(2, 4\): environments, components\)", ValueError):
            envs.step(np.zeros(shape))
    with refused(r"actions = .*must be numbers, \(2, 4\)"):
        envs.step([["up"] * 4] * 2)
    with refused("seed: 3 .must be one for each of 2"):
        envs.reset(seed=[1, 2, 3])
    for mask in [[True], np.zeros(2, bool), np.ones(2)]:
        with refused("reset_mask"):
            envs.reset(options={"reset_mask": mask})
    env = nodia.gym.ScenarioEnv(QUICK_LIFT, overrides=SHORT)
    env.reset(seed=1)
    with refused(r"action: shape \(1, 4\) \(must be \(4,\)", ValueError):
        env.step(np.zeros((1, 4)))


def test_without_gymnasium_one_line_says_what_to_install():
    code = "import sys; sys.modules['gymnasium'] = None; import nodia; nodia.gym"
    beside = {"PYTHONPATH": str(PACKAGE)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=beside)
    assert done.stderr.splitlines()[-1] == "ImportError: gymnasium (is missing; pip install 'nodia[gym]')"


def test_the_first_example_of_the_page_does_what_it_says(capsys):
    exec(compile(code_blocks("docs/gym.md", "python")[0], "docs/gym.md", "exec"), {})
    assert capsys.readouterr().out.startswith("(4, 119, 3) [ True  True  True  True]\n")


@pytest.mark.parametrize("use_async_envs", [False, True])
def test_the_example_for_lerobot(use_async_envs):
    names = runpy.run_path(str(SOURCE / "examples/lerobot/env.py"))
    envs = names["make_env"](2, use_async_envs, overrides=SHORT)
    observation, _ = envs.reset(seed=3)
    assert envs.observation_space.contains(observation)
    assert {name: array.shape for name, array in observation.items()} == {
        "agent_pos": (2, 13),
        "environment_state": (2, 357),
    }
    assert envs.call("task_description") == ("lift the ball off the floor",) * 2
    assert envs.call("_max_episode_steps") == (7, 7)
    for _ in range(7):
        *_, truncated, info = envs.step(envs.action_space.sample())
    assert truncated.all() and info["final_info"]["is_success"].tolist() == [False, False]
    envs.close()
