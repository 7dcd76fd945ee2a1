"""Environments are saved, loaded, copied and pickled, and continue with equal bits."""

import copy
import pickle
import subprocess
import sys

import gymnasium
import numpy as np
import pytest
from built_package import PACKAGE, SOURCE
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode
from push_task import ACTIONS, push_task
from same_bits import equal
from shown_commands import code_blocks

import nodia.gym

N = 3
QUICK_LIFT = nodia.gym.scenario_file("quick_lift")
SHORT = {"time.duration_s": 0.28, "task.settle.at_most_s": 0.04}  # 7 control steps
# Everything that an episode can remember: noise, delayed actions, windows of forces, steps of a success in a row.
MEMORY = {
    "noise": {"block.nodes": 1e-4},
    "delay_steps": 1,
    "settle": {"speed_m_s": 1e-3, "at_most_s": 0.04},
    "success": {
        "check": "contact_force",
        "on": "block",
        "by": "plate",
        "part": "normal",
        "value_N": 2,
        "tolerance_N": 1.9,
        "for_s": 0.06,
    },
}
modes = pytest.mark.parametrize("mode", list(AutoresetMode), ids=lambda mode: mode.value)


def push(**keys):
    return nodia.gym.ScenarioEnv(push_task(**(MEMORY | keys)), threads=1)


def pushes(mode, **keys):
    return nodia.gym.ScenarioVectorEnv(push_task(**(MEMORY | keys)), N, autoreset_mode=mode, threads=1)


def continued(env, actions):
    """What an environment returns for these actions. It is reset where it needs that."""
    results = []
    for action in actions:
        results.append(env.step(action))
        ended = np.logical_or(*results[-1][2:4])
        if isinstance(env.unwrapped, gymnasium.Env) and ended:
            results.append(env.reset())
        elif env.metadata.get("autoreset_mode") == AutoresetMode.DISABLED and ended.any():
            results.append(env.reset(options={"reset_mask": ended}))
    return results


def actions_of(env, n, seed=1):
    env.action_space.seed(seed)
    return [env.action_space.sample() for _ in range(n)]


def ends(results):
    return sum(np.sum(result[2] | result[3]) for result in results if len(result) == 5)


@pytest.mark.parametrize("n_before", range(2 * ACTIONS))
def test_one_environment_continues_from_every_step(n_before):
    env, other = push(), push()
    env.reset(seed=5)
    continued(env, actions_of(env, n_before))
    state = env.save()
    actions = actions_of(env, 20, seed=2)
    wanted = continued(env, actions)
    assert ends(wanted) >= 4
    env.load(state)
    equal(continued(env, actions), wanted)
    other.load(state)
    equal(continued(other, actions), wanted)


@modes
@pytest.mark.parametrize("n_before", [1, ACTIONS, ACTIONS + 1])
def test_environments_side_by_side_continue_from_every_step(mode, n_before):
    envs, others = pushes(mode), pushes(mode)
    envs.reset(seed=5)
    continued(envs, actions_of(envs, n_before))
    state = envs.save()
    actions = actions_of(envs, 20, seed=2)
    wanted = continued(envs, actions)
    assert ends(wanted) >= 3 * N
    envs.load(state)
    equal(continued(envs, actions), wanted)
    others.reset(seed=77)
    others.load(state)
    equal(continued(others, actions), wanted)


def test_a_robot_with_a_soft_ball_continues():
    envs = nodia.gym.ScenarioVectorEnv(QUICK_LIFT, 2, overrides=SHORT, autoreset_mode="SameStep")
    envs.reset(seed=3)
    continued(envs, actions_of(envs, 5))
    state = envs.save()
    actions = actions_of(envs, 8, seed=2)
    wanted = continued(envs, actions)
    envs.load(state)
    equal(continued(envs, actions), wanted)


def test_one_state_branches_into_every_environment():
    """A state of the single form goes into environments of the vector form, and back."""
    env, envs = push(), pushes("Disabled")
    env.reset(seed=5)
    envs.reset(seed=70)
    continued(env, actions_of(env, 1))
    state = env.save()
    for k in range(N):
        envs.load(state, k)
    rows = actions_of(envs, 2)
    results = [envs.step(actions) for actions in rows]
    for k in range(N):
        env.load(state)
        for (observations, rewards, *_), actions in zip(results, rows, strict=True):
            observation, reward, *_ = env.step(actions[k])
            equal(observation, {name: values[k] for name, values in observations.items()})
            assert reward == rewards[k]
        equal(env.save().episodes, envs.save(k).episodes)


def pickled(env):
    return pickle.loads(pickle.dumps(env))


# A shallow copy of a wrapper shares the environment.
@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, pickled])
@pytest.mark.parametrize("made", ["one", "side by side", "wrapped"])
def test_a_copy_is_independent_and_continues(made, copied):
    env = pushes("NextStep") if made == "side by side" else push()
    if made == "wrapped" and copied is not copy.copy:
        env = gymnasium.wrappers.RecordEpisodeStatistics(gymnasium.wrappers.StickyAction(env, 0.5))
    env.reset(seed=5)
    actions = actions_of(env, 25)
    continued(env, actions[:5])
    other = copied(env)
    before = env.unwrapped.save()
    timeless = [continued(each, actions[5:]) for each in (other, env)]
    for results in timeless:
        for result in results:
            result[-1].get("episode", {}).pop("t", None)
    equal(*timeless)
    equal(other.action_space.sample(), env.action_space.sample())
    env.unwrapped.load(before)
    continued(other, actions[:3])
    assert env.unwrapped.save().episodes == before.episodes


def test_a_copy_can_be_made_before_the_first_reset():
    env = pickled(push())
    equal(env.reset(seed=3), push().reset(seed=3))


CONTINUES = """
import pickle, sys
from test_gym_states import continued
with open(sys.argv[1], "rb") as file:
    env, state, actions = pickle.load(file)
first = continued(env, actions)
env.load(state)
with open(sys.argv[2], "wb") as file:
    pickle.dump((first, continued(env, actions)), file)
"""


@pytest.mark.parametrize("made", ["one", "side by side"])
def test_another_process_continues(made, tmp_path):
    env = push() if made == "one" else pushes("SameStep")
    env.reset(seed=5)
    continued(env, actions_of(env, 6))
    actions = actions_of(env, 20, seed=2)
    (tmp_path / "env").write_bytes(pickle.dumps((env, env.save(), actions)))
    words = [sys.executable, "-c", CONTINUES, str(tmp_path / "env"), str(tmp_path / "results")]
    paths = {"PYTHONPATH": f"{PACKAGE}:{SOURCE / 'tests/python'}"}
    subprocess.run(words, check=True, env=paths, cwd=tmp_path)
    wanted = continued(env, actions)
    for results in pickle.loads((tmp_path / "results").read_bytes()):
        equal(results, wanted)


def test_the_planner_of_the_page_branches_with_equal_bits():
    """The steps that it takes between its branches are those of an environment that is never loaded."""
    names = {}
    exec(compile(code_blocks("docs/gym.md", "python")[1], "docs/gym.md", "exec"), names)
    env = nodia.gym.ScenarioEnv(QUICK_LIFT, overrides=names["overrides"])
    env.reset(seed=7)
    for action in names["taken"]:
        last = env.step(action)
    assert last[3] and len(names["taken"]) == env.actions_per_episode
    equal(last, tuple(names[name] for name in ("observation", "reward", "terminated", "truncated", "info")))


def test_the_state_has_the_generator_of_gymnasium_but_not_those_of_spaces():
    env = push()
    env.reset(seed=5)
    env.np_random.random()
    state = env.save()
    drawn = env.np_random.random(3)
    sampled = env.action_space.sample()
    env.load(state)
    equal(env.np_random.random(3), drawn)
    env.load(state)
    equal(env.np_random.random(3), drawn)  # the state has not changed
    assert not np.array_equal(env.action_space.sample(), sampled), "a planner would repeat its samples"


POLICY = """
import numpy as np

class Memory:
    def __init__(self):
        self.n = 0

class Drift:
    def __init__(self, task):
        self.task, self.memory = task, Memory()

    def reset(self, observation, seed):
        self.random = np.random.default_rng(seed)

    def act(self, observation):
        self.memory.n += 1
        return self.task.high * np.sin(self.memory.n) * self.random.random()
"""


def test_the_state_has_what_a_policy_remembers(tmp_path):
    (tmp_path / "drift.py").write_text(POLICY)
    env = push(policy=f"{tmp_path}/drift.py:Drift")
    env.reset(seed=5)

    def acted(env, n):
        return [(action := env.policy_action(), env.step(action)) for _ in range(n)]

    first = env.save()
    whole = acted(env, 3)
    env.load(first)
    equal(acted(env, 1), whole[:1])
    state, other = pickled(env.save()), copy.deepcopy(env)
    env.load(first)
    env.load(state)
    equal(acted(env, 2), whole[1:])
    equal(acted(other, 2), whole[1:])


def test_the_state_has_the_step_of_a_log(tmp_path):
    actions = np.random.default_rng(1).uniform(-0.005, 0.005, (ACTIONS, 3))
    nodia.write_action_log(tmp_path / "log.csv", push().task, actions)
    logged, other = (nodia.gym.ScenarioEnv(push_task(policy=str(tmp_path / "log.csv"))) for _ in range(2))
    logged.reset(seed=5)
    for _ in range(2):
        logged.step(logged.policy_action())
    other.load(logged.save())
    assert np.allclose(other.policy_action() * 0.005, actions[2], rtol=0, atol=1e-15)


def test_a_policy_that_cannot_be_saved_is_named(tmp_path):
    policy = POLICY.replace("Memory()", "lambda: 0").replace("self.memory.n += 1", "n = 1").replace("self.memory.n", "n")
    (tmp_path / "open.py").write_text(policy)
    env = push(policy=f"{tmp_path}/open.py:Drift")
    env.reset(seed=5)
    env.save()
    env.policy_action()
    with pytest.raises(nodia.InputError, match=r"open\.py: .*lambda"):
        env.save()


def test_bad_states_are_one_clear_line():
    env, envs = push(), pushes("Disabled")
    with pytest.raises(ResetNeeded, match=r"environment 0: reset\(\) .must come before save"):
        env.save()
    env.reset(seed=5)
    envs.reset(seed=5)
    before = env.save()
    with pytest.raises(nodia.InputError, match=r"state of 3 environments .must be of 1"):
        env.load(envs.save())
    with pytest.raises(TypeError, match="state = b'bytes' .must be nodia.SavedState; save"):
        env.load(b"bytes")
    with pytest.raises(IndexError, match=r"env = 3 .must be in \[0, 3"):
        envs.save(3)
    for other, rule in [
        (push(noise={"block.nodes": 2e-4}), "must be of the same task"),
        (nodia.gym.ScenarioEnv(push_task(**MEMORY) | {"gravity_m_s2": [0, 0, -1]}), "must be of the same scene as 'push'"),
    ]:
        other.reset(seed=5)
        with pytest.raises(nodia.InputError, match=rule):
            env.load(other.save())
    assert env.save().episodes == before.episodes
    damaged = copy.deepcopy(before)
    object.__setattr__(damaged.episodes[0], "core", damaged.episodes[0].core[:-1])
    with pytest.raises(nodia.InputError, match="state: is damaged"):
        env.load(damaged)
