"""tests/planted_faults: every patch applies to this tree. tools/planted_faults.sh: what it prints for each outcome."""

import os
import re
import shutil
import subprocess

import pytest
from tool_environment import SOURCE

PATCHES = sorted((SOURCE / "tests/planted_faults").glob("*.patch"))


def git(folder, *words):
    who = ["-c", "user.name=test", "-c", "user.email=test@example.org"]
    done = subprocess.run(["git", *who, *words], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_there_are_at_least_ten():
    assert len(PATCHES) >= 10


@pytest.mark.parametrize("patch", PATCHES, ids=lambda path: path.stem)
def test_a_patch_applies_and_changes_one_file(patch):
    git(SOURCE, "apply", "--check", str(patch))
    assert len(git(SOURCE, "apply", "--numstat", str(patch)).splitlines()) == 1


@pytest.mark.parametrize("patch", PATCHES, ids=lambda path: path.stem)
def test_a_patch_describes_its_fault_and_names_tests_that_exist(patch):
    fault, first, diff = patch.read_text().split("\n", 2)
    assert re.fullmatch(r"# [A-Z].{20,}\.", fault), fault
    assert first.startswith("# first: ") and diff.startswith("diff --git "), first
    for item in first.removeprefix("# first: ").split(", "):
        if item.endswith(".py"):
            assert (SOURCE / item).is_file(), item
            continue
        program, name = item.split(":")
        suite = name.strip("*").removesuffix(".")
        suite = suite.split(".")[0]
        tests = SOURCE / "tests"
        folders = {"test_" + "_".join(path.relative_to(tests).parts): path for path in tests.rglob("*") if path.is_dir()}
        # The checked host backend also runs tests of other folders.
        folder = tests if program == "checked_host" else folders[program]
        text = "".join(path.read_text() for path in folder.rglob("*.cpp"))
        assert re.search(rf"TEST(_F|_P)?\(\w*{suite}\w*,", text), item


# A tree whose only source file is value.txt. Its test programs are shell scripts that print what googletest prints.
FAILED = 'echo "[ RUN      ] $1"; echo "[  FAILED  ] $1, where GetParam() = 1 (0 ms)"; exit 1'
PROGRAMS = {
    "test_value": f'set -- Value.IsSound; grep -q wrong value.txt || exit 0; {FAILED}',
    "test_crash": 'grep -q crash value.txt || exit 0; echo "[ RUN      ] Crash.Runs/0"; kill -SEGV $$',
    "test_always": f'case "$*" in *Always*) set -- Always.Fails; {FAILED};; esac',
}
CMAKE = 'mkdir -p build/release/tests; cp programs/* build/release/tests; ! grep -q syntax value.txt'
PYTHON = 'grep -q python value.txt || exit 0; echo "FAILED tests/tools/test_it.py::test_one[a b] - why"; exit 1'


@pytest.fixture
def tree(tmp_path):
    def script(name, text):
        path = tmp_path / "tree" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/bash\n{text}\n")
        path.chmod(0o755)

    for name, text in PROGRAMS.items():
        script(f"programs/{name}", text)
    script("tools/build.sh", "cmake")
    script("commands/cmake", CMAKE)
    script(".venv/bin/python", PYTHON)
    folder = tmp_path / "tree"
    shutil.copy(SOURCE / "tools/planted_faults.sh", folder / "tools")
    (folder / "value.txt").write_text("sound\n")
    (folder / ".gitignore").write_text("/.venv\n/build/\n")
    git(folder, "init", "--quiet")
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "--message", "a tree")
    return folder


def plant(tree, name, old, new, first):
    patch = f"# A fault.\n# first: {first}\ndiff --git a/value.txt b/value.txt\n--- a/value.txt\n+++ b/value.txt\n"
    (tree / "tests/planted_faults").mkdir(parents=True, exist_ok=True)
    (tree / f"tests/planted_faults/{name}.patch").write_text(f"{patch}@@ -1 +1 @@\n-{old}\n+{new}\n")


def check(tree, *words):
    path = f"{tree / 'commands'}:{os.environ['PATH']}"
    command = [tree / "tools/planted_faults.sh", *words]
    return subprocess.run(command, env=os.environ | {"PATH": path}, capture_output=True, text=True, timeout=120)


def test_every_outcome_has_its_line(tree, tmp_path):
    plant(tree, "a", "sound", "wrong", "test_value:Value.*")
    plant(tree, "b", "sound", "wrong", "test_crash")  # found by a test that is not named
    plant(tree, "c", "sound", "crash", "test_crash:Crash.*")
    plant(tree, "d", "sound", "python", "tests/tools/test_it.py")
    plant(tree, "e", "sound", "silent", "test_value:Value.*")
    plant(tree, "f", "other", "wrong", "test_value:Value.*")
    plant(tree, "g", "sound", "syntax", "test_value:Value.*")
    plant(tree, "h", "sound", "silent", "test_always:Always.*")
    done = check(tree, "--work", tmp_path / "work")
    assert [re.sub(r"\d+ s$", "S s", line) for line in done.stdout.splitlines()] == [
        "a: found by Value.IsSound in S s",
        "b: found by Value.IsSound in S s",
        "c: found by Crash.Runs/0 in S s",
        "d: found by tests/tools/test_it.py::test_one in S s",
        "e: NOT FOUND",
        "f: patch does not apply",
        "g: the patched tree does not build",
        "h: NOT FOUND (Always.Fails fails without the patch too)",
    ], done.stderr
    assert done.returncode == 1
    assert git(tmp_path / "work/tree", "status", "--short", "value.txt") == ""
    again = check(tree, "--work", tmp_path / "work", "a", "d")
    assert again.returncode == 0 and again.stdout.count("found by") == 2, again.stderr


def test_bad_usage_is_one_line(tree):
    for words in (["--work"], ["--fast"], ["none"]):
        done = check(tree, *words)
        assert done.returncode == 2 and done.stderr.count("\n") == 1 and words[-1] in done.stderr, done.stderr
