"""Command lines with the output and the exit code that they must give, from the tables in command_lines.

A table has one entry per command line; files that it may name are copies of command_lines/files and scenarios:

    # a comment
    $ nodia run box.yaml --steps 0
    | a line of standard output
    ! a line of standard error
    exit 2

<number> in an expected line stands for any number, <folder> for the working directory. After a deliberate change of a
text, NODIA_RENEW_COMMAND_LINES=1 makes this test write the new lines into the tables (without pytest -n). Lines that
still match keep their <number>.
"""

import os
import re
import shlex
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from expected_lines import with_placeholders
from nodia_command import SOURCE, needs_nodia, run

pytestmark = needs_nodia

TABLES = Path(__file__).parent / "command_lines"
RENEW = os.environ.get("NODIA_RENEW_COMMAND_LINES") == "1"


@dataclass
class Entry:
    command: str
    comments: list[str]
    stdout: list[str]
    stderr: list[str]
    code: int

    def text(self):
        prefixed = [("| ", line) for line in self.stdout] + [("! ", line) for line in self.stderr]
        lines = [(prefix + line).rstrip() for prefix, line in prefixed]
        return "\n".join([*self.comments, f"$ {self.command}", *lines, f"exit {self.code}"]) + "\n"


def entries_of(table):
    entries, comments = [], []
    for line in (TABLES / table).read_text().splitlines():
        if line.startswith("#"):
            comments.append(line)
        elif line.startswith("$ "):
            entries.append(Entry(line[2:], comments, [], [], 0))
            comments = []
        elif line.startswith("|"):
            entries[-1].stdout.append(line[2:])
        elif line.startswith("!"):
            entries[-1].stderr.append(line[2:])
        elif line.startswith("exit "):
            entries[-1].code = int(line[5:])
        else:
            assert line == "", f"{table}: {line}"
    return entries


ENTRIES = [(path.name, entry) for path in sorted(TABLES.glob("*.txt")) for entry in entries_of(path.name)]


def result_of(entry, folder):
    """The entry with what its command gives in a folder."""
    shutil.copytree(TABLES / "files", folder, dirs_exist_ok=True)
    (folder / "scenarios").symlink_to(SOURCE / "scenarios")
    program, *arguments = shlex.split(entry.command)
    assert program == "nodia"
    # A fixed width of the help of verbs in Python.
    done = run(*arguments, cwd=folder, environment={"COLUMNS": "100", "NODIA_PYTHON": sys.executable})
    stdout = with_placeholders(done.stdout, folder, entry.stdout)
    stderr = with_placeholders(done.stderr, folder, entry.stderr)
    return Entry(entry.command, entry.comments, stdout, stderr, done.returncode)


def renew(table, result):
    entries = [result if entry.command == result.command else entry for entry in entries_of(table)]
    (TABLES / table).write_text("\n".join(entry.text() for entry in entries))


@pytest.mark.parametrize(("table", "entry"), ENTRIES, ids=[entry.command for _, entry in ENTRIES])
def test_prints_what_the_table_says(table, entry, tmp_path):
    result = result_of(entry, tmp_path)
    if RENEW:
        renew(table, result)
    else:
        assert result.text() == entry.text()


def test_there_are_forty_command_lines():
    commands = [entry.command for _, entry in ENTRIES]
    assert len(commands) == len(set(commands)) >= 40


def test_every_verb_has_its_help_in_the_table():
    verbs = re.findall(r"^  (\w+) ", run("--help").stdout, re.M)
    assert len(verbs) >= 15
    helps = {entry.command for entry in entries_of("help.txt")}
    assert {f"nodia {verb} --help" for verb in verbs} <= helps


@pytest.mark.parametrize("entry", entries_of("mistakes.txt"), ids=lambda entry: entry.command)
def test_a_mistake_gives_one_line_and_exit_code_2(entry):
    assert (entry.code, entry.stdout, len(entry.stderr)) == (2, [], 1)
    assert re.match(r"nodia: error: |nodia \w+: ", entry.stderr[0])
