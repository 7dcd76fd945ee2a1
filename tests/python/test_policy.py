"""Who acts by `task.policy`: script, a class of one's own, a log; bits, chances, errors."""

import h5py
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.vector import SyncVectorEnv
from push_dataset import GOOD, generate, push
from shown_commands import code_blocks

import nodia
import nodia.gym
from nodia.generation import ClassActors
from nodia.policy import Task, load_policies, load_policy

QUICK_LIFT = nodia.gym.scenario_file("quick_lift")
SHORT = {"time.duration_s": 0.28, "task.settle.at_most_s": 0.04}  # 7 control steps
ZERO = [0, 0, 0, 0.05]

OWN = "class Own:\n  def __init__(self, task): pass\n"

# Copies of what it was told, and actions by chance.
CHANCE = """
import numpy as np

class Chance:
    made = []

    def __init__(self, task):
        self.task, self.begun = task, []
        self.made.append(self)

    def reset(self, observation, seed):
        self.begun.append((observation, seed))
        self.random = np.random.default_rng(seed)

    def act(self, observation):
        for array in observation.values():
            array[:] = 7  # a copy
        return self.random.uniform(self.task.low, self.task.high)
"""


@pytest.fixture
def own(tmp_path):
    """Writes a file of Python; the words for its class."""

    def write(text, name="Own", file="own.py"):
        (tmp_path / file).write_text(text)
        return f"{tmp_path / file}:{name}"

    return write


def acting(policy, n=2, **keywords):
    overrides = SHORT | {"task.policy": str(policy)}
    return nodia.gym.ScenarioVectorEnv(QUICK_LIFT, n, overrides=overrides, normalized=False, **keywords)


def episode(envs, seed):
    """Actions and observations of an episode that nobody ends."""
    observations, _ = envs.reset(seed=seed)
    actions, seen = [], [observations]
    for _ in range(envs.actions_per_episode):
        actions.append(envs.policy_actions())
        observations, _, terminated, _, _ = envs.step(actions[-1])
        assert not terminated.any()
        seen.append(observations)
    return np.array(actions), seen


def equal(a, b):
    for one, other in zip(a, b, strict=True):
        assert all(one[name].tobytes() == other[name].tobytes() for name in one)


@pytest.fixture(scope="module")
def task():
    return nodia.gym.ScenarioEnv(QUICK_LIFT, overrides=SHORT).task


def test_the_task_says_what_a_policy_needs(task):
    assert task.text == "lift the ball off the floor" and task.control_hz == 25 and task.actions_per_episode == 7
    assert task.components == ("base_x", "base_y", "base_z", "gripper") and task.units == ("m",) * 4
    assert task.low.tolist() == [-0.02] * 3 + [0.03] and task.high.tolist() == [0.02] * 3 + [0.055]
    assert list(task.observations) == ["gripper.joints", "gripper.wrist", "ball.nodes", "ball.contact_force"]
    assert task.observations["ball.nodes"].shape == (119, 3) and task.observations["ball.nodes"].unit == "m"
    with pytest.raises(AttributeError):
        task.control_hz = 5
    with pytest.raises(ValueError, match="read-only"):
        task.low[0] = 1


def test_the_script_acts_unless_the_task_says_otherwise():
    envs = nodia.gym.ScenarioVectorEnv(QUICK_LIFT, 2, overrides=SHORT)
    envs.reset(seed=1)
    assert np.array_equal(envs.policy_actions(), envs.script_actions())
    env = nodia.gym.ScenarioEnv(QUICK_LIFT, overrides=SHORT)
    env.reset(seed=1)
    assert np.array_equal(env.policy_action(), env.script_action())


def test_a_log_of_the_scripts_actions_has_the_scripts_bits(tmp_path):
    script = acting("script", 1)
    actions, seen = episode(script, 5)
    nodia.write_action_log(tmp_path / "log.csv", script.task, actions[:, 0])
    log = acting(tmp_path / "log.csv", 1)
    assert nodia.read_action_log(tmp_path / "log.csv", log.task).tobytes() == actions[:, 0].tobytes()
    again, seen_again = episode(log, 5)
    assert again.tobytes() == actions.tobytes()
    equal(seen, seen_again)
    lines = (tmp_path / "log.csv").read_text().splitlines()
    assert lines[0] == "time_s,base_x,base_y,base_z,gripper" and lines[3].startswith("0.08,")


def test_an_action_of_a_log_is_that_of_its_control_step_however_often_it_is_asked(tmp_path, task):
    rows = np.random.default_rng(3).uniform(task.low, task.high, (5, 4))
    nodia.write_action_log(tmp_path / "log.csv", task, rows)
    envs = acting(tmp_path / "log.csv", 1)
    for _ in range(2):  # episodes
        envs.reset(seed=1)
        for k in range(7):
            for _ in range(2):
                assert envs.policy_actions()[0].tobytes() == rows[min(k, 4)].tobytes()
            envs.step(np.array([ZERO]))


def test_a_class_is_made_once_an_environment_and_begins_every_episode(own):
    policy = own(CHANCE, "Chance")
    envs = acting(policy, 2)
    with pytest.raises(ResetNeeded):
        envs.policy_actions()
    first, seen = episode(envs, 5)
    assert envs.policy_actions().tolist() == [[0] * 4] * 2, "ended"
    other, _ = episode(envs, 900)
    again, seen_again = episode(envs, 5)
    assert first.tobytes() == again.tobytes() and not np.array_equal(first, other)
    equal(seen, seen_again)
    assert not np.array_equal(first[:, 0], first[:, 1]), "environments have chances of their own"
    made = envs._environments._policies._policies[0]._policy.made
    assert len(made) == 2 and all(len(one.begun) == 3 for one in made)
    for env, one in enumerate(made):
        observation, seed = one.begun[0]
        assert seed == one.begun[2][1] != one.begun[1][1] and 0 <= seed < 2**64
        assert all(np.array_equal(observation[name], seen[0][name][env]) for name in observation)
        assert one.task.components == envs.task.components


def test_a_script_has_no_action_before_an_episode_and_zeros_behind_it():
    envs = acting("script", 2, autoreset_mode="Disabled")
    with pytest.raises(ResetNeeded):
        envs.policy_actions()
    episode(envs, 5)
    assert envs.policy_actions().tolist() == [[0] * 4] * 2
    envs.reset(seed=5, options={"reset_mask": np.array([False, True])})
    assert envs.policy_actions()[0].tolist() == [0] * 4
    assert envs.policy_actions()[1].tolist() == envs.script_actions()[1].tolist() != [0] * 4
    env = nodia.gym.ScenarioEnv(QUICK_LIFT, overrides=SHORT)
    with pytest.raises(ResetNeeded):
        env.policy_action()


def test_a_dataset_has_the_actions_of_the_class(own, push, tmp_path):
    keys = ["task.policy=" + own(CHANCE, "Chance"), "task.noise={box.nodes: 1e-3}", GOOD[1]]
    generate(push, tmp_path / "d", 2, *(word for key in keys for word in ("--set", key)))
    env = nodia.gym.ScenarioEnv(push, overrides=keys, normalized=False)
    for k in range(2):
        env.reset(seed=7 if k == 0 else None)
        actions = []
        for _ in range(env.actions_per_episode):
            actions.append(env.policy_action())
            env.step(actions[-1])
        with h5py.File(tmp_path / "d/blocks/000000.h5") as file:
            assert file[f"episode_{k:06}/action"][:].tolist() == np.float32(actions).tolist()


def test_the_vector_form_acts_as_single_ones_do(own):
    policy = own(CHANCE, "Chance")
    overrides = SHORT | {"task.policy": policy}
    vector = nodia.gym.ScenarioVectorEnv(QUICK_LIFT, 2, overrides=overrides)
    sync = SyncVectorEnv([lambda: nodia.gym.ScenarioEnv(QUICK_LIFT, overrides=overrides)] * 2)
    ours, theirs = vector.reset(seed=5)[0], sync.reset(seed=5)[0]
    for k in range(17):  # two episodes
        actions = vector.policy_actions()
        assert np.array_equal(actions, np.array(sync.call("policy_action"))), k
        assert vector.action_space.contains(actions)
        ours, theirs = vector.step(actions)[0], sync.step(actions)[0]
        assert all(ours[name].tobytes() == theirs[name].tobytes() for name in ours)


def test_normalized_actions_beyond_the_bounds_stay_beyond(own):
    policy = own(OWN + "  def act(self, seen): return [0.02, 0.03, -0.02, 0.04]\n")
    env = nodia.gym.ScenarioEnv(QUICK_LIFT, overrides=SHORT | {"task.policy": policy})
    env.reset(seed=1)
    action = env.policy_action()
    assert np.allclose(action, [1, 1.5, -1, -0.2]) and action[0] == 1 and action[2] == -1
    *_, info = env.step(action)
    assert info["clipped"].tolist() == [False, True, False, False]


def test_a_single_observation_comes_by_its_name_too(own):
    policy = own(OWN + "  def act(self, seen): return [*seen['ball.centre'], 0.05]\n")
    env = nodia.gym.ScenarioEnv(
        QUICK_LIFT, overrides=SHORT | {"task.policy": policy, "task.observe": ["ball.centre"]}, normalized=False
    )
    centre, _ = env.reset(seed=1)
    assert env.policy_action()[:3].tolist() == centre.tolist()


def test_nan_fails_its_environment_alone(own):
    text = """
class Own:
    def __init__(self, task): pass
    def act(self, seen): return [float("nan") if seen["ball.nodes"][:, 0].mean() > 0 else 0] * 3 + [0.05]
"""
    envs = acting(own(text), 8)
    observations, _ = envs.reset(seed=1)
    wrong = observations["ball.nodes"][:, :, 0].mean(1) > 0
    assert 0 < wrong.sum() < 8
    *_, info = envs.step(envs.policy_actions())
    assert np.array_equal(info["failed"], wrong)
    assert all("(base_x) is nan" in info["cause"][env] for env in np.flatnonzero(wrong))


def refused(match):
    return pytest.raises(nodia.InputError, match=match)


def said(function, *arguments):
    with pytest.raises(nodia.InputError) as refusal:
        function(*arguments)
    text = str(refusal.value)
    assert "\n" not in text
    return text.rsplit("/", 1)[-1]


def test_a_class_that_is_not_there_is_one_clear_line(own, task, tmp_path):
    rule = "(must be a class of the file with act(); did you mean Lift?)"
    words = own("import numpy as np\nclass Lift:\n  def act(self, seen): pass\nclass Idle: pass\n", "Lifd")
    assert said(load_policy, words, task) == f"own.py: class Lifd {rule}"
    assert said(load_policy, "own.py:np", task, tmp_path) == f"own.py: class np {rule}"
    assert said(load_policy, "own.py:Idle", task, tmp_path) == "own.py: class Idle (must have act(self, observation))"
    assert said(load_policy, "own.py", task, tmp_path) == f"own.py: class without a name {rule}"
    assert said(load_policy, "other.py:Lift", task, tmp_path) == (
        "other.py: no such file (must be a Python file; check the name and the working directory)"
    )
    assert said(load_policy, "log.csv", task, tmp_path) == (
        "log.csv: no such file (check the name; a scenario's paths start from its folder)"
    )
    assert "policy = script (must be FILE.py:CLASS" in said(load_policy, "script", task)
    with refused(r"task.policy = .*\(must be script, FILE.py:CLASS or the file of a log; there is no file"):
        acting(tmp_path / "other.py:Lift")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("x = 1\nraise OSError('no weights')\n", "own.py:2: OSError: no weights"),
        ("class Own\n", "own.py:1: SyntaxError: expected ':' (own.py, line 1)"),
        ("\nimport no_such_package\n", "own.py:2: ModuleNotFoundError: No module named 'no_such_package'"),
        (
            "class Own:\n  def __init__(self): pass\n  def act(self, seen): pass\n",
            "own.py: TypeError: Own.__init__() takes 1 positional argument but 2 were given",
        ),
        (
            "class Own:\n  def __init__(self, task):\n    self.k = task.gain\n  def act(self, seen): pass\n",
            "own.py:3: AttributeError: 'Task' object has no attribute 'gain'",
        ),
    ],
)
def test_what_fails_while_a_class_is_made_is_told_with_its_line(own, task, text, line):
    assert said(load_policy, own(text), task) == line


def test_what_fails_while_it_acts_is_told_with_its_line(own, task):
    text = OWN + "  def act(self, seen):\n    return self.helped(1)\n\n  def helped(self, x): return x / 0"
    policy = load_policy(own(text), task)
    assert said(policy.act, {}, 0) == "own.py:6: ZeroDivisionError: division by zero"
    policy = load_policy(own(OWN + "  def act(self, seen): return [0] * 3\n"), task)
    assert said(policy.act, {}, 0) == "own.py: Own.act(): shape (3,) (must be (4,): base_x, base_y, base_z, gripper)"
    policy = load_policy(own(OWN + "  def act(self, seen): return 'up'\n"), task)
    assert said(policy.act, {}, 0) == "own.py: Own.act() (must return numbers, (4,))"
    policy = load_policy(own(OWN + "  def act(self, seen): return [0] * 4\n  def reset(self, seen): pass\n"), task)
    assert "own.py: TypeError: Own.reset() takes 2 positional arguments" in said(policy.reset, {}, 1)
    envs = acting(own(OWN + "  def act(self, seen):\n    import numpy as np\n    np.linalg.inv(np.zeros((2, 2)))\n"))
    envs.reset(seed=1)
    assert said(envs.policy_actions) == "own.py:5: LinAlgError: Singular matrix"
    with pytest.raises(nodia.InputError) as refusal:
        envs.policy_actions()
    assert isinstance(refusal.value.__cause__, np.linalg.LinAlgError)


def test_a_file_is_read_once_as_it_is_now_and_finds_what_lies_beside_it(own, task, tmp_path):
    (tmp_path / "beside_the_policy.py").write_text("ZERO = [0, 0, 0, 0.05]\n")
    text = """from __future__ import annotations
from dataclasses import dataclass
from beside_the_policy import ZERO
made = []

@dataclass
class Own:
    task: object

    def __post_init__(self):
        made.append(self)

    def act(self, seen):
        return [len(made)] + ZERO[1:]
"""
    assert load_policies(own(text), task, 3)[2].act({}, 0).tolist() == [3, 0, 0, 0.05]
    assert load_policy(own(text.replace("[len", "[9*len")), task).act({}, 0)[0] == 9
    assert not (tmp_path / "__pycache__/own.cpython-311.pyc").exists()


def test_bad_logs_are_one_clear_line(tmp_path, task):
    file = tmp_path / "log.csv"
    file.write_text("time_s,base_x,base_y,base_z,griper\n0,0,0,0,0.05\n")
    assert said(load_policy, file, task).startswith("log.csv:1: column griper (must be one of time_s, base_x,")
    envs = acting(file)
    envs.reset(seed=1)
    with refused("log.csv:1: column griper"):
        envs.policy_actions()
    for bad, rule in (
        ([[0, 0, 0]], r"actions: shape \(1, 3\) \(must be \(steps, 4\)"),
        (np.zeros((0, 4)), r"shape \(0, 4\)"),
        ([["up"] * 4], r"actions = .*\(must be numbers"),
        ([ZERO, [0, np.nan, 0, 0.05]], "actions: base_y = nan in step 1"),
    ):
        with refused(rule):
            nodia.write_action_log(file, task, bad)
    with pytest.raises(nodia.RuntimeError, match="cannot be written .No such file"):
        nodia.write_action_log(tmp_path / "none/log.csv", task, [ZERO])
    nodia.write_action_log(file, task, [ZERO])
    with refused("step = 7 .must be below actions_per_episode = 7"):
        load_policy(file, task).act({}, 7)


def test_a_task_of_ones_own_reads_a_log(tmp_path, task):
    nodia.write_action_log(tmp_path / "log.csv", task, [ZERO])
    other = Task("", 50, 3, task.components, task.units, task.low, task.high, task.observations)
    assert nodia.read_action_log(tmp_path / "log.csv", other).tolist() == [ZERO] * 3


def test_the_page_does_what_it_says(tmp_path, monkeypatch):
    loop, grasp = code_blocks("docs/tasks.md", "python")
    (tmp_path / "grasp.py").write_text(grasp)
    keys = SHORT | {"task.policy": str(tmp_path / "grasp.py:Grasp"), "task.observe": ["ball.centre", "time"]}
    (tmp_path / "lift.yaml").write_text(nodia.Scenario(QUICK_LIFT, keys).episode().yaml)
    monkeypatch.chdir(tmp_path)
    names = {}
    exec(compile(loop, "docs/tasks.md", "exec"), names)
    actions = np.array(names["actions"])
    assert actions.shape == (7, 4) and names["truncated"] and not names["info"]["failed"]
    assert (actions[:, 3] >= 0.03).all() and len(set(actions[:, 3])) == 7
    assert nodia.read_action_log("lift.csv", names["env"].task).tobytes() == actions.tobytes()


def test_a_command_of_another_build_makes_no_blocks(own):
    with pytest.raises(nodia.RuntimeError, match="the command another .must be of one build"):
        ClassActors(own(OWN + "  def act(self, seen): return [0] * 4\n"), "", "another")
