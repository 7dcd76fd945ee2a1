"""The help of every verb ends with two examples, and each of them works."""

import re
import shlex
import signal
import subprocess

import pytest
from nodia_command import BINARY, SOURCE, needs_nodia, run

pytestmark = needs_nodia

# In this order: later ones use what earlier ones write.
VERBS = "run list verify render view compare solve generate dataset replay export info scale bench study paper".split()


def examples_of(verb):
    done = run(verb, "--help")
    assert done.returncode == 0, done.stderr
    return re.findall(r"^ +(nodia .+)$", done.stdout.split("Examples:")[-1], re.MULTILINE)


def test_every_verb_has_two_examples():
    listed = re.findall(r"^  (\w+) +\S", run("--help").stdout.split("Subcommands:")[-1], re.MULTILINE)
    assert sorted(listed) == sorted(VERBS)
    for verb in VERBS:
        examples = examples_of(verb)
        assert len(examples) == 2, (verb, examples)
        assert all(example.startswith(f"nodia {verb}") for example in examples), (verb, examples)


def shows_a_page(words, folder):
    """Whether the viewer serves a page, which it does until it is interrupted."""
    process = subprocess.Popen([BINARY, *words, "--no-open"], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    line = next((line for line in process.stdout if "http://" in line), "")
    process.send_signal(signal.SIGINT)
    process.wait(60)
    return bool(line)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Where the examples run, as in a clone."""
    folder = tmp_path_factory.mktemp("examples")
    (folder / "scenarios").symlink_to(SOURCE / "scenarios")
    return folder


def test_every_example_works(folder):
    for verb in VERBS:
        for example in examples_of(verb):
            words = shlex.split(example)[1:]
            if verb == "view":
                assert shows_a_page(words, folder), example
                continue
            done = run(*words, cwd=folder, timeout=300)
            assert done.returncode == 0, (example, done.stderr)
