"""Broken scenarios with the answers that `nodia run` must give, from the files in broken_scenarios.

Each file has one mistake. Its first line names the mistake, its second is the answer on standard error:

    # A negative stiffness
    # nodia: error: negative_modulus.yaml:8: bodies.box.youngs_modulus_Pa = -1e5 (must be > 0; 75e3 is a soft rubber)

Meshes and robots are in broken_scenarios/parts. <folder> in an answer stands for the folder of the file. After a
deliberate change of a text, NODIA_RENEW_BROKEN_SCENARIOS=1 makes this test write the new answers into the files. To add
a mistake, write the file with any second line and renew.
"""

import os
import re
import shutil
from pathlib import Path

import pytest
from expected_lines import with_placeholders
from nodia_command import needs_nodia, run

pytestmark = needs_nodia

FOLDER = Path(__file__).parent / "broken_scenarios"
FILES = sorted(FOLDER.glob("*.yaml"))
RENEW = os.environ.get("NODIA_RENEW_BROKEN_SCENARIOS") == "1"

# Answers about the whole file.
WITHOUT_LINE = {"empty.yaml", "list.yaml", "no_bodies.yaml", "robot_with_xpbd.yaml"}
# The words of a rule or of a cure.
RULE = re.compile(r"must |unknown key|check the name|keep one|is not defined|mesh the volume|remove or|is missing \(")


def answer_of(file, folder):
    """Standard error of `nodia run` in a copy of the folder, its last line, which is the error, last."""
    shutil.copytree(FOLDER, folder, dirs_exist_ok=True)
    before = sorted(folder.rglob("*"))
    done = run("run", file.name, cwd=folder)
    assert (done.returncode, done.stdout) == (2, ""), done.stderr
    assert sorted(folder.rglob("*")) == before, "a broken scenario leaves no output"
    return with_placeholders(done.stderr, folder, [])


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_answer_is_the_recorded_one(file, tmp_path):
    mistake, recorded, *lines = file.read_text().splitlines(keepends=True)
    assert mistake.startswith("# ") and recorded.startswith("# ")
    *warnings, answer = answer_of(file, tmp_path)
    assert all(line.startswith("nodia: warning: ") for line in warnings)
    if RENEW:
        file.write_text("".join([mistake, f"# {answer}\n", *lines]))
    else:
        assert f"# {answer}\n" == recorded


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_answer_names_file_line_key_value_and_rule(file):
    lines = file.read_text().splitlines()
    answer = lines[1].removeprefix("# nodia: error: ")
    assert answer != lines[1] and RULE.search(answer), answer
    if file.name in WITHOUT_LINE:
        return
    place = re.match(rf"{re.escape(file.name)}:(\d+): (.*)", answer)
    assert place, answer
    line, said = lines[int(place[1]) - 1], place[2]
    # The line has the last part of the key that is a word: a list counts its elements.
    key = re.match(r"(?:not valid YAML: )?([\w.]+)", said)[1]
    word = next(part for part in reversed(key.split(".")) if not part.isdigit())
    assert word in line or " is missing" in said or "a tab" in said, (line, said)
    # A value of several lines, a value in another file and no value are not in the line.
    value = re.match(r"[\w.]+ = (.*?) \(", said)
    if value and value[1] != "{...}" and not value[1].startswith("["):
        assert value[1] in line or value[1] == "nothing", (line, said)


def test_there_are_forty_mistakes():
    assert len({file.read_text().splitlines()[0] for file in FILES}) == len(FILES) >= 40
