"""Tables of `nodia compare` and `nodia solve`: the help explains every column, and rows come one by one."""

import csv
import re
import subprocess

import pytest
from nodia_command import BINARY, needs_nodia, run, scenario

pytestmark = needs_nodia
__all__ = ["scenario"]


def explained_columns(verb, title):
    """Names of the columns that a section of the help of a verb explains."""
    text = run(verb, "--help").stdout
    section = re.search(rf"^{re.escape(title)}:\n((?:  \S+ +\S.*\n)+)", text, re.MULTILINE)
    assert section, text
    return [line.split()[0] for line in section[1].splitlines()]


@pytest.fixture
def problems(scenario, tmp_path):
    """A folder with the problem of a step."""
    folder = tmp_path / "problems"
    folder.mkdir()
    assert run("solve", scenario, "--step", 10, "--export", "fclib", folder / "step.hdf5").returncode == 0
    return folder


def test_the_help_of_compare_explains_every_column_of_its_table(scenario):
    done = run("compare", scenario, "--steps", 2, "--solvers", "pgs,cond")
    assert done.returncode == 0, done.stderr
    title, header, *rows = done.stdout.splitlines()
    assert title.startswith("sliding_box: means over 1 of 2 steps")
    assert header.split() == explained_columns("compare", "Columns of the table, means over the steps")
    solvers = [row.split()[0] for row in rows]
    assert solvers[0] == "cond" and "pgs" in solvers, "the times of others are multiples of COND's"
    assert all(re.search(r" (\d+\.\d|not_met)$", row) for row in rows)


def test_compare_writes_its_table_to_a_file(scenario, tmp_path):
    words = ["compare", scenario, "--steps", 2, "--solvers", "cond,pgs", "--csv", tmp_path / "table.csv"]
    done = run(*words)
    assert done.returncode == 0, done.stderr
    with (tmp_path / "table.csv").open() as file:
        header, *rows = csv.reader(file)
    assert header == explained_columns("compare", "Columns of the table, means over the steps")
    shown = [row.split()[0] for row in done.stdout.splitlines()[2:]]
    assert [row[0] for row in rows] == shown and len(set(map(len, rows))) == 1
    again = run(*words)
    assert again.returncode == 2 and "table.csv" in again.stderr and "--overwrite" in again.stderr
    assert run(*words, "--overwrite").returncode == 0


def test_rows_of_an_ablation_have_no_multiple_of_cond(scenario):
    done = run("compare", scenario, "--steps", 2, "--ablation", "--ablation-w", "frobenius")
    assert done.returncode == 0, done.stderr
    rows = [line for line in done.stdout.splitlines() if line.startswith("cond")]
    assert len(rows) == 4 and all(row.endswith(" -") for row in rows)


def test_the_help_of_compare_explains_every_column_of_the_suite(tmp_path):
    words = ["--cases", "box_sliding", "--samples", 1, "--solvers", "auto", "--seconds", 1]
    done = run("compare", "--suite", "accuracy", *words, "--out", tmp_path)
    assert done.returncode == 0, done.stderr
    header = done.stdout.splitlines()[0]
    assert header.split() == explained_columns("compare", "Columns of the table of --suite")


def test_the_help_of_solve_explains_every_column_of_table_and_file(problems, tmp_path):
    table = tmp_path / "table.csv"
    done = run("solve", problems, "--table", "--solvers", "cond,pgs", "--csv", table)
    assert done.returncode == 0, done.stderr
    header, *rows = done.stdout.splitlines()
    columns = explained_columns("solve", "Columns of --table and --csv")
    assert header.split() == columns
    assert [row.split()[0] for row in rows] == ["step.hdf5", "step.hdf5"]
    with table.open() as file:
        assert next(csv.reader(file)) == columns


def kill_after_rows(words, n_row):
    """Starts a command, waits for its header and n_row rows, kills it. @return the rows"""
    child = subprocess.Popen([BINARY, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        lines = [child.stdout.readline() for _ in range(n_row + 1)]
        assert child.poll() is None, "the command has ended before it was killed"
    finally:
        child.kill()
        child.wait()
    assert all(line.endswith("\n") for line in lines)
    return lines[1:]


def test_a_killed_table_keeps_the_rows_that_are_finished(problems, tmp_path):
    table = tmp_path / "table.csv"
    files = [problems / "step.hdf5"] * 2000  # the command is far from its end after two rows
    words = ["solve", *files, "--table", "--solvers", "cond,pgs", "--csv", table]
    (first, second) = kill_after_rows(words, 2)
    assert [first.split()[5], second.split()[5]] == ["cond", "pgs"]
    with table.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) >= 2
    for printed, row in zip((first, second), rows):
        assert printed.split()[:9] == list(row.values())[:9]


def test_compare_prints_each_row_when_it_is_measured(scenario):
    words = ["compare", scenario, "--steps", 30, "--all", "--rows", "residual", "--tolerance", 1e-6]
    words += ["--iterations", ",".join(["5000"] * 2000), "--solvers", "cond"]
    title_and_rows = kill_after_rows(words, 2)  # behind the title: the header and a row
    assert title_and_rows[1].startswith("cond ")
