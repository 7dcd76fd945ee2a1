"""A class of Python acts in nodia generate: the same bytes however often it is started, failures that stay with their
episodes, one line for what cannot act."""

import hashlib
import json
import os
import re
import shutil
import signal
import time

import h5py
import numpy as np
import pytest
from nodia_command import expect_bad_input, needs_nodia, run
from push_dataset import (
    GOOD,
    attributes_of,
    dataset,
    episodes_of,
    files,
    generate,
    needs_package,
    push,
    start,
    wait,
    words_of,
)

pytestmark = [needs_nodia, needs_package]

# What it was told and did before would be seen in its actions; an object is there for one episode.
CHANCE = """\
import numpy as np

print("read")


class Chance:
    def __init__(self, task):
        self.task, self.told = task, 0

    def reset(self, observation, seed):
        self.random = np.random.default_rng(seed)

    def act(self, observation):
        self.told += 1
        print("asked")
        for array in observation.values():
            array[:] = 7  # copies
        return self.random.uniform(self.task.low, self.task.high) / self.told
"""


@pytest.fixture
def own(tmp_path):
    """Writes a file with a class; the words with which it acts."""

    def write(text, name="Own", file="own.py"):
        (tmp_path / file).write_text(text)
        return (*GOOD, "--set", f"task.policy={tmp_path / file}:{name}")

    return write


def acting(text):
    """A class Own with this body of act()."""
    body = "".join(f"        {line}\n" for line in text.splitlines())
    return f"""\
class Own:
    def __init__(self, task):
        self.step = -1

    def reset(self, observation, seed):
        self.seed = seed

    def act(self, observation):
        self.step += 1
{body}"""


def test_a_class_acts_and_its_file_belongs_to_the_request(push, own, tmp_path):
    words = own(acting("return [2.0 ** -7, 0, (observation['plate.pose'][0] < -0.01) * 2.0 ** -8]"))
    assert generate(push, tmp_path / "d", 2, *words)["made_episodes"] == 2
    with h5py.File(tmp_path / "d/blocks/000000.h5") as file:
        actions = file["episode_000001/action"][:]
    np.testing.assert_array_equal(actions[:, 0], [2.0**-7] * 5)
    np.testing.assert_array_equal(actions[:, 2], [2.0**-8] * 2 + [0] * 3)
    name = f"{hashlib.sha256((tmp_path / 'own.py').read_bytes()).hexdigest()}.py"
    assert (tmp_path / "d/assets" / name).read_bytes() == (tmp_path / "own.py").read_bytes()
    request = (tmp_path / "d/dataset.yaml").read_text()
    assert f"assets/{name}:Own" in request and str(tmp_path) not in request
    assert generate(push, tmp_path / "d", 2, *words)["made_episodes"] == 0
    own((tmp_path / "own.py").read_text().replace("-7", "-6"))
    expect_bad_input(run(*words_of(push, tmp_path / "d", 2, *words)), "scenario.task.policy = ")
    (tmp_path / "own.py").unlink()
    shutil.move(tmp_path / "d", tmp_path / "elsewhere")
    done = run("replay", tmp_path / "elsewhere", "--episode", 1, environment={"NODIA_PYTHON": "/no/python"})
    assert done.returncode == 0 and "every bit as recorded" in done.stdout, done.stderr
    assert dataset(tmp_path / "elsewhere")["complete"]


def test_processes_threads_and_shards_make_the_same_files(push, own, tmp_path):
    words = (*own(CHANCE, "Chance"), "--block", 2)
    plain = tmp_path / "plain"
    generate(push, plain, 12, *words)
    wait(*(start(push, tmp_path / "two", 12, *words) for _ in range(2)))
    wait(*(start(push, tmp_path / "shards", 12, *words, "--shard", f"{i}/2") for i in range(2)))
    generate(push, tmp_path / "threads", 12, *words, "--threads", 3, "--oversubscribe")
    for other in ("two", "shards", "threads"):
        generate(push, tmp_path / other, 12, *words)
        assert files(tmp_path / other) == files(plain), other
    generate(push, tmp_path / "other_blocks", 12, *words[:-1], 5)
    sums = [[e["sha256"] for e in episodes_of(tmp_path / folder)] for folder in ("plain", "other_blocks")]
    assert sums[0] == sums[1] and len(set(sums[0])) == 12
    done = run("replay", plain, "--episode", 7)
    assert done.returncode == 0, done.stderr


def test_what_fails_stays_with_its_episode(push, own, tmp_path):
    good = "return [0.0078125, 0, 0]"
    faults = """\
if self.step == 2:
    if self.seed % 5 == 0:
        raise ValueError(f"no\\n grasp \\0 in {__file__} at step {self.step}")
    if self.seed % 5 == 1:
        return [0, 0]
    if self.seed % 5 == 2:
        return [0, float("nan"), 0]
    if self.seed % 5 == 3:
        raise SystemExit("x" * 100000)
"""
    generate(push, tmp_path / "good", 16, *own(acting(good)))
    made = generate(push, tmp_path / "d", 16, *own(acting(faults + good)))
    name = f"assets/{hashlib.sha256((tmp_path / 'own.py').read_bytes()).hexdigest()}.py"
    seen = set()
    for was, episode in zip(episodes_of(tmp_path / "good"), episodes_of(tmp_path / "d"), strict=True):
        number = episode["episode"]
        if episode["status"] == "good":
            assert episode["sha256"] == was["sha256"]
            continue
        assert (episode["steps"], episode["failed_step"]) == (3, 2)
        text = attributes_of(tmp_path / "d", number)["cause_text"]
        seen.add((episode["cause"], text[:200]))
        assert len(text) <= 1000
        with h5py.File(tmp_path / "d/blocks" / f"{number // 8:06}.h5") as file:
            actions = file[f"episode_{number:06}/action"][:]
        assert np.isfinite(actions[:2]).all() and np.isnan(actions[2]).any()
        done = run("replay", tmp_path / "d", "--episode", number)
        assert done.returncode == 0, done.stderr
        assert run("replay", tmp_path / "d", "--episode", number, "--step", 2).returncode == 0
    assert seen == {
        ("bad_policy", f"{name}:12: ValueError: no grasp ? in own.py at step 2".replace("own.py", name)),
        ("bad_policy", f"{name}: Own.act(): shape (2,) (must be (3,): plate.x, plate.y, plate.z)"),
        ("bad_policy", f"{name}:18: SystemExit: {'x' * 1000}"[:200]),
        ("bad_action", "component 1 of the action (plate.y) is nan"),
    }
    assert made["causes"].keys() == {"bad_policy", "bad_action"}
    assert dataset(tmp_path / "d")["quarantined"] == made["quarantined"]


def test_what_fails_before_the_first_action_is_an_episode_too(push, own, tmp_path):
    text = acting("return [0, 0, 0]").replace("self.seed = seed", "raise KeyError('x') if seed % 2 else OSError()")
    made = generate(push, tmp_path / "d", 4, *own(text))
    assert made["causes"] == {"bad_policy": 4} and made["steps"] == 4
    assert dataset(tmp_path / "d")["quarantined"] == 4
    assert run("replay", tmp_path / "d", "--episode", 3).returncode == 0


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("import no_such_package\n", "own.py:1: ModuleNotFoundError: No module named 'no_such_package'"),
        ("class Own\n", "own.py:1: SyntaxError"),
        ("raise SystemExit\n", "own.py:1: SystemExit"),
        ("class Other:\n    def act(self, seen): pass\n", "own.py: class Own (must be a class of the file with act(); did"),
        ("class Own:\n    def __init__(self, task): task.gain\n    def act(self, seen): pass\n", "own.py:2: AttributeError"),
    ],
)
def test_what_cannot_act_is_refused_before_anything_is_made(push, own, tmp_path, text, words):
    expect_bad_input(run(*words_of(push, tmp_path / "d", 2, *own(text))), words)
    assert not (tmp_path / "d").exists()


def test_without_python_it_is_a_line(push, own, tmp_path):
    words = own(acting("return [0, 0, 0]"))
    done = run(*words_of(push, tmp_path / "d", 2, *words), environment={"NODIA_PYTHON": "/no/python"})
    assert done.returncode == 1 and done.stderr.count("\n") == 1, done.stderr
    assert "/no/python: cannot run Python" in done.stderr
    (tmp_path / "nodia.py").write_text("raise ImportError('another')\n")
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\nPYTHONPATH={tmp_path}:$PYTHONPATH exec "${{REAL}}" "$@"\n')
    python.chmod(0o755)
    real = {"NODIA_PYTHON": str(python), "REAL": shutil.which("python3")}
    done = run(*words_of(push, tmp_path / "d", 2, *words), environment=real)
    assert done.returncode == 1 and done.stderr.count("\n") == 1, done.stderr
    assert "cannot load nodia (another)" in done.stderr
    assert not (tmp_path / "d").exists()


def test_a_drawn_policy_is_refused(push, own, tmp_path):
    own(acting("return [0, 0, 0]"))
    push.write_text(push.read_text().replace("randomize:\n", "randomize:\n  task.policy: {choice: [script, own.py:Own]}\n"))
    expect_bad_input(run(*words_of(push, tmp_path / "d", 2)), "task.policy")
    assert not (tmp_path / "d").exists()


def test_what_lies_beside_the_class_is_found(push, own, tmp_path):
    (tmp_path / "beside_the_policy.py").write_text("STAY = [0, 0, 0]\n")
    text = "from pathlib import Path\n\nfrom beside_the_policy import STAY\n\nhere = Path(__file__).parent\n\n\n"
    made = generate(push, tmp_path / "d", 2, *own(text + acting("return STAY if (here / 'push.yaml').exists() else None")))
    assert made["quarantined"] == 0


def begun(folder, pattern="*"):
    deadline = time.monotonic() + 120
    while not list(folder.glob(pattern)):
        assert time.monotonic() < deadline
        time.sleep(0.01)


def ended(process):
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.05)
    return False


# Leaves the number of its process beside it.
SLOW = """\
import os
import time
from pathlib import Path

HERE = Path(__file__)


"""


@pytest.mark.parametrize("wait_s", [0.01, 1000])
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_an_end_from_outside_ends_it_and_the_same_command_goes_on(push, own, tmp_path, how, wait_s):
    act = (
        "HERE.with_suffix('.new').write_text(str(os.getpid()))\n"
        "HERE.with_suffix('.new').replace(HERE.with_suffix('.began'))\n"
        f"if HERE.with_suffix('.slow').exists(): time.sleep({wait_s})\n"
        "return [0.0078125, 0, 0]"
    )
    words = (*own(SLOW + acting(act)), "--block", 2)
    generate(push, tmp_path / "plain", 40, *words)
    (tmp_path / "own.began").unlink()
    (tmp_path / "own.slow").touch()
    child = start(push, tmp_path / "cut", 40, *words)
    begun(tmp_path, "own.began") if wait_s > 1 else begun(tmp_path, "cut/blocks/*.json")
    child.send_signal(how)
    _, messages = child.communicate(timeout=60)
    assert child.returncode == (130 if how == signal.SIGINT else -how)
    assert ("continues" in messages and messages.count("\n") == 1) == (how == signal.SIGINT), messages
    assert ended(int((tmp_path / "own.began").read_text()))
    (tmp_path / "own.slow").unlink()
    assert dataset(tmp_path / "cut")["episodes"] < 40
    generate(push, tmp_path / "cut", 40, *words)
    assert files(tmp_path / "cut") == files(tmp_path / "plain")


@pytest.mark.parametrize(
    ("end", "words"),
    [("os._exit(0)", "by itself, with exit code 0"), ("os.kill(os.getpid(), signal.SIGSEGV)", "by signal 11")],
)
def test_a_class_that_ends_its_process_is_told(push, own, tmp_path, end, words):
    text = "import os\nimport signal\n\n\n" + acting(f"if self.seed % 3 == 0: {end}\nreturn [0, 0, 0]")
    done = run(*words_of(push, tmp_path / "d", 10, *own(text), "--json"))
    assert (done.returncode, done.stdout) == (1, "")
    assert re.fullmatch(rf"nodia: error: task.policy = .*own.py:Own: its process was ended {words}\n", done.stderr)
    assert dataset(tmp_path / "d")["episodes"] < 10


def test_the_rounding_that_a_class_leaves_changes_no_bit(push, own, tmp_path):
    act = "return [0.0078125, 0, 0]"
    down = "import ctypes\n\nFE_DOWNWARD = 0x400\nset_rounding = ctypes.CDLL('libm.so.6').fesetround\n"
    generate(push, tmp_path / "plain", 4, *own(acting(act)))
    words = own(f"{down}set_rounding(FE_DOWNWARD)\n\n\n" + acting(f"set_rounding(FE_DOWNWARD)\n{act}"))
    generate(push, tmp_path / "down", 4, *words, "--block", 2, "--threads", 2, "--oversubscribe")
    plain, down = ([e["sha256"] for e in episodes_of(tmp_path / name)] for name in ("plain", "down"))
    assert plain == down


def test_what_a_class_sets_of_its_thread_and_process_changes_no_bit(push, own, tmp_path):
    text = (
        "import numpy as np\n\nnp.seterr(all='raise')\n\n\n"
        + acting("np.float64(1e-300) * np.float64(1e-300)\n"  # underflows
                 "if self.seed % 2 == 0: np.seterr(all='ignore')\n"
                 "return [sum(1 / (2 ** 9 + k) for k, _ in enumerate({'a', 'b', 'plate.pose'}) if _ > 'b'), 0, 0]")
    )
    words = (*own(text), "--block", 1)
    generate(push, tmp_path / "plain", 8, *words)
    assert dataset(tmp_path / "plain")["quarantined"] == 0, "a context is an episode's, and begins as it is usual"
    generate(push, tmp_path / "threads", 8, *words, "--threads", 3, "--oversubscribe")
    assert files(tmp_path / "threads") == files(tmp_path / "plain")
    for seed in (1, 2, 3):
        done = run(*words_of(push, tmp_path / f"hash_{seed}", 8, *words), environment={"PYTHONHASHSEED": str(seed)})
        assert done.returncode == 0, done.stderr
        assert files(tmp_path / f"hash_{seed}") == files(tmp_path / "plain")


def test_no_memory_in_a_class_ends_the_command(push, own, tmp_path):
    done = run(*words_of(push, tmp_path / "d", 2, *own(acting("raise MemoryError('no room')"))))
    assert done.returncode == 1 and "MemoryError" in done.stderr and done.stderr.count("\n") == 1, done.stderr


def test_an_end_is_seen_although_processes_of_the_class_live_on(push, own, tmp_path):
    alone = "os.close(1); os.close(2); time.sleep(20); os._exit(0)"  # the test reads these two
    act = f"if os.fork() == 0: {alone}\nos.kill(os.getpid(), signal.SIGKILL)"
    done = run(*words_of(push, tmp_path / "d", 2, *own("import os\nimport signal\nimport time\n\n\n" + acting(act))), timeout=15)
    assert done.returncode == 1 and "by signal 9" in done.stderr, done.stderr


def test_what_a_class_writes_at_its_end_is_whole(push, own, tmp_path):
    text = f"LOG = open({str(tmp_path / 'log')!r}, 'w')\n\n\n" + acting("LOG.write('asked\\n')\nreturn [0, 0, 0]")
    generate(push, tmp_path / "d", 2, *own(text))
    assert (tmp_path / "log").read_text() == "asked\n" * 10


def test_what_a_class_prints_is_no_part_of_the_answer(push, own, tmp_path):
    done = run(*words_of(push, tmp_path / "d", 1, *own(CHANCE, "Chance")), "--json")
    assert json.loads(done.stdout)["made_episodes"] == 1
    assert done.stderr.split() == ["read"] + ["asked"] * 5


@pytest.mark.parametrize("error", ["SystemExit()", "GeneratorExit()", "Own.Rare()"])
def test_exceptions_that_are_no_errors_fail_their_episodes(push, own, tmp_path, error):
    text = acting(f"if self.step == 1 and self.seed % 2: raise {error}\nreturn [0, 0, 0]")
    text = text.replace("class Own:\n", "class Own:\n    class Rare(BaseException):\n        pass\n\n")
    made = generate(push, tmp_path / "d", 8, *own(text))
    assert made["complete"] and made["quarantined"] == made["causes"]["bad_policy"] > 0
    assert made["quarantined"] < 8


def test_an_interrupt_that_the_class_raises_ends_the_command_in_one_line(push, own, tmp_path):
    done = run(*words_of(push, tmp_path / "d", 4, *own(acting("raise KeyboardInterrupt"))), timeout=100)
    assert done.returncode != 0 and "KeyboardInterrupt" in done.stderr and "Traceback" not in done.stderr


def test_a_number_beyond_double_fails_its_episode(push, own, tmp_path):
    made = generate(push, tmp_path / "d", 8, *own(acting("return [10**400 if self.seed % 2 else 0, 0, 0]")))
    assert made["complete"] and 0 < made["quarantined"] < 8
    assert "must return numbers" in made["first_of_cause"]["bad_policy"]["why"]


def test_a_class_may_change_its_working_directory(push, own, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = 'import os\n\nos.chdir("/")\n\n\n' + acting('os.chdir("/tmp")\nreturn [0, 0, 0]')
    own(text)
    words = [*GOOD, "--set", "task.policy=own.py:Own"]
    assert generate("push.yaml", "d", 3, "--block", 1, *words)["complete"]
    assert dataset("d")["complete"] and (tmp_path / "d/dataset.yaml").exists()
