"""Launchers start the plain command, each share once, and again where it was ended; the engines are stood in for
(tools/launch/test.sh has the real ones)."""

import json
import os
import subprocess
import sys

import pytest
from nodia_command import SOURCE

LAUNCH = SOURCE / "tools/launch"

# As much of Ray as the launcher uses: tasks run when they are asked for, in order. What a task raises comes as an
# exception of its kind too, whose text is a traceback and whose `cause` is what was raised.
RAY = """\
def init(**how): pass
def cluster_resources(): return {"CPU": 4.0}
def remote(num_cpus, max_retries, retry_exceptions):
    assert max_retries == -1
    class Remote:
        def __init__(self, function): self.function = function
        def remote(self, *arguments): return (self.function, arguments, tuple(retry_exceptions))
    return Remote
def get(task):
    function, arguments, again = task
    while True:
        try: return function(*arguments)
        except again: pass
        except Exception as error: raise task_error(error) from None
def task_error(raised):
    class TaskError(type(raised)):
        def __init__(self): self.cause = raised
        def __str__(self): return "ray::generate()\\nTraceback (most recent call last):"
    return TaskError()
def wait(tasks): return tasks[:1], tasks[1:]
"""
# Writes down its words; ends as a file of the folder says, once each line.
NODIA = """\
#!{python}
import json, os, signal, sys
words = sys.argv[1:]
with open("words.jsonl", "a") as file: print(json.dumps(words), file=file)
lines = open("ends.txt").read().split() if os.path.exists("ends.txt") else []
if lines:
    open("ends.txt", "w").write(" ".join(lines[1:]))
    if lines[0] == "killed": os.kill(os.getpid(), signal.SIGKILL)
    if lines[0] == "crashed": os.kill(os.getpid(), signal.SIGSEGV)
    if lines[0] == "2": print("nodia: error: one line\\nanother", file=sys.stderr)
    if lines[0] != "0": sys.exit(int(lines[0]))
busy = [3] if os.path.exists("busy.txt") and "--shard" not in words else []
if busy: os.unlink("busy.txt")
print(json.dumps({{"made_episodes": 2, "busy_blocks": busy}}))
"""


@pytest.fixture
def place(tmp_path):
    (tmp_path / "ray.py").write_text(RAY)
    (tmp_path / "nodia").write_text(NODIA.format(python=sys.executable))
    (tmp_path / "nodia").chmod(0o755)
    return tmp_path


def start_ray(place, *words):
    environment = os.environ | {"PYTHONPATH": str(place), "PATH": f"{place}:{os.environ['PATH']}"}
    command = [sys.executable, "-B", LAUNCH / "ray_generate.py", *words]
    return subprocess.run(command, cwd=place, env=environment, capture_output=True, text=True, timeout=60)


def words_of(place):
    return [json.loads(line) for line in (place / "words.jsonl").read_text().splitlines()]


WORK = ["lift.yaml", "data", "--episodes", "10", "--seed", "7"]


def test_ray_gives_every_share_once_and_looks_at_the_whole_at_the_end(place):
    done = start_ray(place, "--tasks", "3", "--cpus", "2", *WORK)
    assert done.returncode == 0, done.stderr
    assert "all blocks are made" in done.stdout
    start = ["generate", *WORK, "--threads", "2", "--json"]
    assert words_of(place) == [[*start, "--shard", f"{k}/3"] for k in range(3)] + [start]


def test_ray_takes_four_shares_a_slot(place):
    assert start_ray(place, "--cpus", "2", *WORK).returncode == 0
    assert [words[-1] for words in words_of(place)[:-1]] == [f"{k}/8" for k in range(8)]


def test_what_was_ended_is_started_again(place):
    (place / "ends.txt").write_text("0 130 killed 0")
    assert start_ray(place, "--tasks", "2", *WORK).returncode == 0
    assert [words[-1] for words in words_of(place)[:-1]] == ["0/2", "1/2", "1/2", "1/2"]


def test_what_cannot_be_done_is_one_line(place):
    (place / "ends.txt").write_text("0 2")
    done = start_ray(place, "--tasks", "3", *WORK)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.splitlines()[-1] == "ray_generate: nodia: error: one line"
    assert "Traceback" not in done.stderr
    assert len(words_of(place)) == 2


def test_what_crashes_is_not_started_again(place):
    (place / "ends.txt").write_text("0 crashed 0")
    done = start_ray(place, "--tasks", "3", *WORK)
    assert (done.returncode, done.stdout) == (1, "")
    command = f"{place}/nodia generate {' '.join(WORK)} --threads 1 --json --shard 1/3"
    assert done.stderr.splitlines()[-1] == f"ray_generate: {command}: crashed (signal 11)"
    assert len(words_of(place)) == 2


def test_a_program_that_does_not_run_is_one_line(place):
    done = start_ray(place, "--tasks", "3", "--nodia", place / "none", *WORK)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"ray_generate: {place}/none: cannot be run (No such file or directory)\n"


def test_an_answer_that_is_none_is_one_line(place):
    (place / "nodia").write_text("#!/bin/sh\necho ready\n")
    done = start_ray(place, "--tasks", "3", *WORK)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.count("\n") == 1 and "its answer is no JSON" in done.stderr


def test_blocks_of_others_are_waited_for(place):
    (place / "busy.txt").write_text("")
    assert start_ray(place, "--tasks", "1", *WORK).returncode == 0
    assert len(words_of(place)) == 3


@pytest.mark.parametrize(
    "words", [[], ["lift.yaml"], ["--episodes", "3"], ["--tasks", "0", *WORK], ["--cpus", "0", *WORK]]
)
def test_bad_words_of_ray_are_told(place, words):
    done = start_ray(place, *words)
    assert done.returncode == 2 and "must be >= 1" in done.stderr or "missing" in done.stderr
    assert not (place / "words.jsonl").exists()


def start_slurm(place, **variables):
    (place / "srun").write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n')
    (place / "srun").chmod(0o755)
    environment = {"PATH": f"{place}:{os.environ['PATH']}"} | variables
    command = ["bash", LAUNCH / "slurm_generate.sbatch", *WORK]
    return subprocess.run(command, cwd=place, env=environment, capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize(("number", "first", "step", "share"), [(0, 0, 1, "0/4"), (6, 3, 1, "3/4"), (9, 3, 2, "3/4")])
def test_a_task_of_an_array_has_its_share(place, number, first, step, share):
    array = {"ID": number, "MIN": first, "STEP": step, "COUNT": 4}
    variables = {f"SLURM_ARRAY_TASK_{name}": str(value) for name, value in array.items()}
    done = start_slurm(place, SLURM_CPUS_PER_TASK="5", **variables)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["--cpus-per-task=5", "nodia", "generate", *WORK, "--threads", "5", "--shard", share]


def test_no_array_is_told(place):
    done = start_slurm(place)
    assert (done.returncode, done.stdout) == (2, "")
    assert "sbatch --array=0-7" in done.stderr and done.stderr.count("\n") == 1


@pytest.mark.parametrize("script", ["launch/test.sh", "dataset_readers.sh"])
def test_scripts_say_what_they_do(script):
    done = subprocess.run([SOURCE / "tools" / script, "--help"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and "Usage: tools/" in done.stdout and "#" not in done.stdout
    done = subprocess.run([SOURCE / "tools" / script, "--none"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 2 and done.stderr.count("\n") == 1
