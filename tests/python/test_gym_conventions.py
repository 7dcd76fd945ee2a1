"""The environments follow Gymnasium's conventions for infos, seeds, options, limits and specs."""

import subprocess
import sys

import gymnasium
import numpy as np
import pytest
from built_package import PACKAGE, SOURCE
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from push_task import ACTIONS, push_task
from same_bits import equal

import nodia.gym

N = 2
SCRIPT = SOURCE.parent / "shared/reference/public_cases/gym_conventions.py"
SHORT = {"time.duration_s": 0.28, "task.settle.at_most_s": 0.04}  # 7 control steps
# An episode that succeeds at its last step, and one that never does.
LATE = {"check": "node_position", "body": "block", "of": "lowest", "above_m": -1, "for_s": 0.08}


def push(**keys):
    return nodia.gym.ScenarioEnv(push_task(**keys), threads=1)


def pushes(mode="NextStep", **keys):
    return nodia.gym.ScenarioVectorEnv(push_task(**keys), N, autoreset_mode=mode, threads=1)


@pytest.mark.skipif(not SCRIPT.exists(), reason="REFERENCE: ../shared/reference/public_cases/gym_conventions.py is absent")
def test_the_script_of_the_reference_folder_finds_nothing():
    done = subprocess.run([sys.executable, SCRIPT], capture_output=True, text=True, env={"PYTHONPATH": str(PACKAGE)})
    assert done.returncode == 0 and done.stdout.count("right") == 5 and "WRONG" not in done.stdout, done.stdout + done.stderr


def test_a_seed_of_an_info_begins_the_same_episode():
    env = push()
    first, info = env.reset()
    assert type(info["seed"]) is int and type(info["episode_index"]) is int
    env.reset()
    again, _ = env.reset(seed=info["seed"])
    equal(again, first)


@pytest.mark.parametrize("form", ["ours", "sync"])
def test_seeds_of_the_infos_of_several_environments_begin_the_same_episodes(form):
    envs = pushes() if form == "ours" else SyncVectorEnv([push] * N)
    first, info = envs.reset(seed=[70, 7])
    assert info["seed"].dtype == np.int64 and info["seed"].tolist() == [70, 7]
    for seeds in (info["seed"].tolist(), info["seed"]):
        envs.reset()
        again, info = envs.reset(seed=seeds)
        equal(again, first)


def test_seeds_have_63_bits():
    largest = 2**63 - 1
    assert push().reset(seed=largest)[1]["seed"] == largest
    assert pushes().reset(seed=largest - 1)[1]["seed"].tolist() == [largest - 1, largest]
    for reset in (push().reset, pushes().reset):
        with pytest.raises(nodia.InputError, match=r"seed = 9223372036854775808 .must be <="):
            reset(seed=largest + 1)
        with pytest.raises(nodia.InputError, match=r"seed = -1 .must be >= 0"):
            reset(seed=-1)


def test_unknown_options_are_rejected_and_nothing_is_reset():
    env, envs = push(), pushes("Disabled")
    first, _ = env.reset(seed=3)
    envs.reset(seed=3)
    with pytest.raises(nodia.InputError, match=r"options\['friction'\] = 0.9 .unknown option; there are none"):
        env.reset(options={"friction": 0.9})
    before = envs.save()
    mask = np.array([True, False])
    with pytest.raises(nodia.InputError, match=r"options\['reset_msk'\] = .* .unknown option; .*did you mean reset_mask"):
        envs.reset(options={"reset_msk": mask})
    with pytest.raises(nodia.InputError, match=r"options\['friction'\] = 0.9 .unknown option; must be reset_mask.$"):
        envs.reset(options={"reset_mask": mask, "friction": 0.9})
    with pytest.raises(TypeError, match=r"options = 3 .must be a dictionary"):
        envs.reset(options=3)
    assert envs.save().episodes == before.episodes
    assert env.reset()[1]["episode_index"] == 1


def test_infos_have_no_key_of_gymnasium():
    """RecordEpisodeStatistics writes `episode`, autoreset writes final_obs and final_info."""
    envs = pushes("SameStep")
    keys = set(envs.reset(seed=1)[1])
    for _ in range(ACTIONS):
        *_, info = envs.step(envs.action_space.sample())
        keys |= set(info) | set(info.get("final_info", {}))
    assert {"final_obs", "final_info", "episode_index", "seed"} <= keys and "episode" not in keys


def test_texts_of_infos_can_be_left_out():
    keywords = {"info_texts": False}
    env, envs = nodia.gym.ScenarioEnv(push_task(), **keywords), nodia.gym.ScenarioVectorEnv(push_task(), N, **keywords)
    infos = [env.reset(seed=1)[1], env.step(np.zeros(3))[4], envs.reset(seed=1)[1], envs.step(np.zeros((N, 3)))[4]]
    assert not any(key in info for info in infos for key in ("status", "cause"))
    assert not any(value.dtype == object for info in infos[2:] for value in info.values())
    assert "status" in push().reset(seed=1)[1]


@pytest.mark.parametrize("name", nodia.gym.ENVIRONMENTS)
def test_the_spec_has_the_number_of_steps_and_adds_no_limit(name):
    env, envs = gymnasium.make(name), gymnasium.make_vec(name, num_envs=1)
    assert env.spec.max_episode_steps == envs.spec.max_episode_steps == env.unwrapped.actions_per_episode >= 50
    assert "TimeLimit" not in str(env)


def steps_of(env):
    """Number of steps of an episode, and its last flags."""
    env.reset(seed=1)
    for k in range(1, 100):
        _, _, terminated, truncated, _ = env.step(env.action_space.sample())
        if terminated or truncated:
            return k, terminated, truncated


def test_the_spec_counts_the_steps_of_overrides_and_makes_the_same_environment():
    env = gymnasium.make("nodia/QuickLift-v0", overrides=SHORT)
    envs = gymnasium.make_vec("nodia/QuickLift-v0", num_envs=2, overrides=SHORT)
    assert env.spec.max_episode_steps == envs.spec.max_episode_steps == 7
    for each in (env, gymnasium.make(env.spec)):
        assert steps_of(each) == (7, False, True)
    again = gymnasium.make_vec(envs.spec)
    assert again.spec.max_episode_steps == 7 and again.num_envs == 2
    assert nodia.gym.ScenarioEnv(push_task()).spec is None
    with pytest.raises(nodia.InputError, match=r"max_episode_steps = 20 .must be 7, the task's; overrides of time.duration_s"):
        gymnasium.make_vec("nodia/QuickLift-v0", num_envs=2, overrides=SHORT, max_episode_steps=20)


def test_a_success_at_the_last_step_is_not_truncated():
    assert steps_of(push()) == (ACTIONS, False, True)
    assert steps_of(push(success=LATE)) == (ACTIONS, True, False)


@pytest.mark.parametrize("mode", list(AutoresetMode), ids=lambda mode: mode.value)
def test_the_recorder_counts_the_steps_of_episodes(mode):
    envs = gymnasium.wrappers.vector.RecordEpisodeStatistics(pushes(mode))
    envs.reset(seed=21)
    lengths = []
    for _ in range(3 * ACTIONS + 2):
        *_, info = envs.step(envs.action_space.sample())
        if "episode" in info:
            lengths.append(info["episode"]["l"].tolist())
            if mode == AutoresetMode.DISABLED:
                envs.reset(options={"reset_mask": info["_episode"].copy()})
    assert lengths == [[ACTIONS] * N] * 3
