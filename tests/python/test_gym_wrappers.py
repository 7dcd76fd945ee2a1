"""Every wrapper of the installed Gymnasium works with the environments of nodia in every autoreset mode."""

import copy
import re

import gymnasium
import numpy as np
import pytest
from gym_wrappers import (
    FAILING_AROUND_SYNC,
    SINGLE,
    UNFIT,
    VECTOR,
    Use,
    every_wrapper,
    fault_of,
    names_of,
    require_packages,
)
from gymnasium.envs.registration import EnvSpec
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from push_task import ACTIONS, push_task
from same_bits import equal

import nodia.gym
from nodia.gym.environments import Environments

N = 2
STEPS = 10
KEYWORDS = {"render_mode": "rgb_array", "threads": 1}
OBSERVED = {"dict": ["block.nodes", "block.contact_force", "plate.pose"], "box": ["block.centre"], "picture": ["block.centre"]}


def single(use):
    """One environment of nodia with the observations that a wrapper needs."""
    env = nodia.gym.ScenarioEnv(push_task(observe=OBSERVED[use.sees]), **KEYWORDS, info_texts=use.info_texts)
    env.spec = EnvSpec("nodia/Push-v0")
    return gymnasium.wrappers.AddRenderObservation(env) if use.sees == "picture" else env


def vector(use, mode):
    """The vector form. Pictures are observations of single environments only."""
    if use.sees == "picture":
        return SyncVectorEnv([lambda: single(use)] * N, autoreset_mode=mode)
    keywords = KEYWORDS | {"autoreset_mode": mode, "info_texts": use.info_texts}
    return nodia.gym.ScenarioVectorEnv(push_task(observe=OBSERVED[use.sees]), N, **keywords)


@pytest.fixture(autouse=True)
def quick_pictures(monkeypatch):
    """Pictures that are not drawn but depend on the state. Drawing takes longer than everything else here."""

    def picture(environments, env, contacts):
        assert not contacts
        seen = environments.row(environments.observations(), env)
        sum_of = float(np.sum(seen if isinstance(seen, np.ndarray) else [value.sum() for value in seen.values()]))
        return np.random.default_rng(abs(hash(sum_of))).integers(0, 256, (360, 480, 3), np.uint8)

    monkeypatch.setattr(Environments, "picture", picture)


def arguments_of(name, use, folder):
    return use.arguments | ({"video_folder": str(folder)} if name == "RecordVideo" else {})


def without_times(results):
    """A copy without the wall-clock time that RecordEpisodeStatistics adds to infos."""
    results = copy.deepcopy(results)
    for info in (results[-1], *np.atleast_1d(results[-1]).tolist()):
        if isinstance(info, dict):
            for each in (info, info.get("final_info", {})):
                for key in ("t", "_t"):
                    each.get("episode", {}).pop(key, None)
    return results


def action_of(envs, action):
    """An action in the arrays that the wrapper converts to."""
    converts = [name for name in ("JaxToTorch", "NumpyToTorch") if name in str(envs)]
    if not converts:
        return action
    import torch

    return torch.as_tensor(action)


def history_of(envs, mode):
    """What an environment returns over two episodes and a part of the third."""
    history = [without_times(envs.reset(seed=5))]
    envs.action_space.seed(1)
    for _ in range(STEPS):
        results = without_times(envs.step(action_of(envs, envs.action_space.sample())))
        history.append(results)
        ended = np.logical_or(np.asarray(results[2]), np.asarray(results[3]))
        if mode == AutoresetMode.DISABLED and ended.any():
            history.append(without_times(envs.reset(options={"reset_mask": ended})))
    envs.close()
    return history


def indices_of(info):
    """Index of the episode that each environment has begun, or nothing."""
    if isinstance(info, list):
        return [one["episode_index"] for one in info if "episode_index" in one]
    return np.asarray(info.get("episode_index", [])).tolist()


def require_episodes(history, length, mode):
    """All environments are truncated after `length` actions, and begin the next episode of their seed."""
    steps = [results for results in history if len(results) == 5]
    period = length + 1 if mode == AutoresetMode.NEXT_STEP else length
    for k, (_, _, terminated, truncated, _) in enumerate(steps):
        assert not np.asarray(terminated).any()
        assert np.asarray(truncated).tolist() == [k % period == length - 1] * N, k
    n_end = sum(k % period == length - 1 for k in range(STEPS))
    begun = [indices for *_, info in history if (indices := indices_of(info))]
    assert n_end >= 2 and begun == [[k] * N for k in range(n_end + 1)]


@every_wrapper(gymnasium.wrappers)
def test_single(name, mode, tmp_path, monkeypatch):
    use = SINGLE.get(name, Use())
    require_packages(use, monkeypatch)
    wrapper, arguments = getattr(gymnasium.wrappers, name), arguments_of(name, use, tmp_path)
    histories = []
    for _ in range(2):
        envs = SyncVectorEnv([lambda: wrapper(single(use), **arguments)] * N, autoreset_mode=mode)
        histories.append(history_of(envs, mode))
        for observation, *_ in histories[-1]:
            assert envs.observation_space.contains(observation)
    equal(*histories)
    require_episodes(histories[0], use.length, mode)
    assert name != "RecordVideo" or list(tmp_path.glob("*.mp4"))


@every_wrapper(gymnasium.wrappers.vector)
def test_vector(name, mode, tmp_path, monkeypatch):
    """It also returns the bits that it returns around SyncVectorEnv of the single form."""
    use = VECTOR.get(name, Use())
    require_packages(use, monkeypatch)
    wrapper, arguments = getattr(gymnasium.wrappers.vector, name), arguments_of(name, use, tmp_path)
    sync = SyncVectorEnv([lambda: single(use)] * N, autoreset_mode=mode)
    if fault := fault_of(name, mode):
        for envs in (vector(use, mode), sync):
            with pytest.raises((ValueError, BufferError), match=re.escape(fault)):
                history_of(wrapper(envs, **arguments), mode)
        return
    envs = wrapper(vector(use, mode), **arguments)
    history = history_of(envs, mode)
    for observation, *_ in history:
        assert envs.observation_space.contains(observation)
    other = vector(use, mode) if (name, mode) in FAILING_AROUND_SYNC else sync
    equal(history, history_of(wrapper(other, **arguments), mode))
    require_episodes(history, use.length, mode)
    assert name != "RecordVideo" or list(tmp_path.glob("*.mp4"))


@pytest.mark.parametrize("table, module", [(SINGLE, gymnasium.wrappers), (VECTOR, gymnasium.wrappers.vector)])
def test_the_tables_name_wrappers_of_the_installed_gymnasium(table, module):
    assert set(table) <= set(names_of(module))
    assert set(UNFIT) <= set(gymnasium.wrappers.__all__)
