"""nodia paper: the table of results, the report, and what cannot be made."""

import csv
import fcntl
import json

import pytest
from nodia_command import BINARY, expect_bad_input, needs_nodia, run

from nodia_tools.command_line import InputError
from nodia_tools.paper import command, solver_table
from nodia_tools.paper.context import Context
from nodia_tools.paper.figures import finish, panels
from nodia_tools.paper.registry import ENTRIES
from nodia_tools.paper.report import Report, text_of
from nodia_tools.paper.result import COMPARED, CannotMake, Entry, Result, Table, beside
from nodia_tools.paper.results import fig14
from nodia_tools.paper.solver_table import Row, Setup, against_paper, by_true_error, time_ratios

INFO = {
    "version": "0.0",
    "commit": "abc",
    "compiler": "none",
    "machine": {"cpu": "test", "cores": 1, "os": "test"},
    "solvers": [{"name": "cond", "description": ""}],
}


@pytest.fixture
def context(tmp_path, monkeypatch):
    """A context whose nodia prints INFO, and counts its calls for everything else."""
    program = tmp_path / "nodia"
    program.write_text(
        "#!/bin/sh\n"
        f"if [ $1 = info ]; then echo '{json.dumps(INFO)}'; exit 0; fi\n"
        'if [ $1 = bad ]; then echo "first" >&2; echo "bad: it broke" >&2; exit 1; fi\n'
        f'echo x >> {tmp_path}/calls; echo "{{\\"words\\": \\"$*\\"}}"\n'
    )
    program.chmod(0o755)
    monkeypatch.setenv("NODIA_PROGRAM", str(program))
    out = tmp_path / "out"
    (out / "data").mkdir(parents=True)
    return Context(out)


def _entry(make, name="one"):
    return Entry(name, "A title", "A paper", "Table X", "two numbers.", "by hand.", make)


def _good(context):
    figure, (axes,) = panels(1)
    axes.plot([1, 2], [1, 2], label="line")
    finish(axes, "x", "y")
    table = Table("Numbers", COMPARED, [beside("a", 2.0, 3.0, "1"), beside("b", None, 0.5)])
    return Result(tables=[table], figures=[figure], reasons=["because"], notes=["two trials"])


def test_what_the_papers_rule_leaves_is_told_from_the_measured_rows(monkeypatch):
    asked = []

    def row(solver, purpose, *values):
        names = ("true_error", "iterations", "solver_ms")
        return Row(solver, purpose, True, {n: [v] for n, v in zip(names, values)}, [0])

    def measure(context, setup):
        asked.append(setup)
        if setup.solvers == ("cond",):
            return [row("cond", "38 iterations", 0.09, 38, 6.0)], 0.0
        equal = "true error <= 0.001"
        return [
            row("cond", "paper", 0.08, 130, 16.0),
            row("cond", equal, 5e-4, 1400, 140.0),
            row("newton", equal, 3e-4, 3, 14.0),
        ], 0.0

    monkeypatch.setattr(solver_table, "measure", measure)
    setup = Setup("soft_ball", paper_tolerance=1e-5, most_samples=5)
    table, told = by_true_error(None, setup, ("cond", "newton"), 38)
    assert table.rows[0] == ["COND", "paper's rule, 1e-05 m/s", 0.08, 130, 16.0]
    assert table.rows[-1] == ["COND", "38 iterations", 0.09, 38, 6.0]
    for words in ("true error is 0.08 (130 it", "38 iterations that are printed it is 0.09", "1400", "14 ms"):
        assert words in told
    assert [s.solvers for s in asked] == [("cond", "newton"), ("cond",)]
    assert all(s.paper_tolerance == 1e-5 and s.most_samples == 5 for s in asked)
    _, told = by_true_error(None, setup, ("cond", "newton"))
    assert "printed" not in told


def test_every_result_is_described_once():
    ids = [entry.id for entry in ENTRIES]
    assert len(set(ids)) == len(ids) and "all" not in ids
    for entry in ENTRIES:
        for words in (entry.title, entry.paper, entry.place, entry.printed, entry.how):
            assert words and "\n" not in words, entry.id


def test_the_tables_and_figures_of_cond_are_all_there():
    ids = {entry.id for entry in ENTRIES}
    assert {f"table{k}" for k in range(1, 10)} | {f"fig{k}" for k in range(6, 15)} <= ids


def test_a_printed_value_stands_beside_ours():
    assert beside("a", 2.0, 3.0, "1") == ["a", 2.0, 3.0, 1.5, "1"]
    assert beside("a", None, 3.0)[3] is None and beside("a", 0.0, 3.0)[3] is None
    assert beside("a", 2.0, None)[3] is None
    assert [text_of(v) for v in (None, float("nan"), 3, 0.123456, True, "a|b")] == [
        "-",
        "-",
        "3",
        "0.1235",
        "yes",
        "a\\|b",
    ]


def test_the_report_holds_what_was_made(context):
    report = command.make_all([_entry(_good)], context)
    assert report.failed == []
    text = (context.out / "report.md").read_text(encoding="utf-8")
    for words in (
        "commit abc",
        "2 trials, 20 steps",
        "| a | 2 | 3 | 1.5 | 1 |",
        "1. because",
        "* two trials",
        "![A title](one.png)",
    ):
        assert words in text, words
    with open(context.out / "one.csv", newline="", encoding="utf-8") as file:
        assert list(csv.reader(file))[1:] == [
            ["a", "2.0", "3.0", "1.5", "1"],
            ["b", "", "0.5", "", ""],
        ]
    assert (context.out / "one.png").stat().st_size > 1000


def test_what_cannot_be_made_is_reported_and_the_rest_goes_on(context, capsys):
    def never(context):
        context.require_solver("ccs")

    def in_part(context):
        result = _good(context)
        result.missing.append("row c: no reference data")
        return result

    entries = [_entry(never, "no"), _entry(in_part, "part"), _entry(_good, "yes")]
    report = command.make_all(entries, context)
    assert report.failed == ["no", "part"]
    text = report.path.read_text(encoding="utf-8")
    assert "**Not made:** this nodia has no solver ccs" in text
    assert "in part: row c: no reference data" in text and "![A title](yes.png)" in text
    said = capsys.readouterr().err
    assert "1/3 no: A title" in said and "yes: made" in said and "\x1b" not in said


def test_a_failed_command_gives_its_last_line(context):
    with pytest.raises(CannotMake, match="exit code 1: bad: it broke"):
        context.json("bad")


def test_results_share_their_commands_and_resume(context, tmp_path):
    def calls():
        return (tmp_path / "calls").read_text().count("x")

    assert context.json("compare", "a.yaml")["words"] == "compare a.yaml --json"
    context.json("compare", "a.yaml")
    assert calls() == 1
    Context(context.out).json("compare", "a.yaml")
    assert calls() == 2
    Context(context.out, resume=True).json("compare", "a.yaml")
    assert calls() == 2


def test_absent_reference_data_is_named(context, tmp_path, monkeypatch):
    monkeypatch.setenv("NODIA_REFERENCE_DIR", str(tmp_path))
    with pytest.raises(CannotMake, match="cable/none.txt is absent"):
        context.reference("cable/none.txt")


def _row(solver, ms):
    samples = [
        {"max_penetration_m": p, "solver_ms": ms, "iterations": 10, "status": "converged"}
        for p in (1e-6, 3e-6)
    ]
    row = Row(solver, "paper", True)
    row.add({"samples": samples}, 0)
    return row


def test_solver_tables_have_means_and_ratios():
    rows = [_row("cond", 2.0), _row("pgs", 50.0)]
    printed = {"cond": {"MP [mm]": 0.001, "ST [ms]": 4.0}, "pgs": {"ST [ms]": 400.0}}
    table = against_paper("t", rows, printed, ("MP [mm]", "ST [ms]"), {"ST [ms]": "1"})
    assert table.rows[0][:3] == ["COND MP [mm]", 0.001, pytest.approx(0.002)]
    assert table.rows[0][3] == pytest.approx(2) and table.rows[1][3:] == [0.5, "1"]
    assert table.rows[2][1] is None
    ratios = time_ratios("t", rows, printed, "")
    assert ratios.rows == [["PGS time / COND time", 100.0, 25.0, 0.25, ""]]


@pytest.mark.parametrize(
    ("mu", "stop"),
    [
        ((0.2, 0.2), (0.36040, 0.36040)),
        ((0.2, 0.4), (0.34765, 0.16707)),
        ((0.1, 0.5), (0.62988, 0.11232)),
    ],
)
def test_maximal_dissipation_stops_where_it_is_known_to(mu, stop):
    assert fig14.maximal_dissipation(*mu)[-1] == pytest.approx(stop, abs=6e-6)


def test_unknown_results_name_the_nearest():
    for word, near in (("tabel3", "table3"), ("figure14", "fig14"), ("al", "all")):
        with pytest.raises(InputError, match=f"did you mean {near}"):
            command.chosen_entries([word])
    assert [entry.id for entry in command.chosen_entries(["fig14", "table1"])] == [
        "table1",
        "fig14",
    ]
    assert len(command.chosen_entries(["all"])) == len(ENTRIES)


def test_the_report_is_complete_after_each_result(context):
    report = Report(context)
    report.add(_entry(_good), _good(context), "", 1.0)
    assert "## one" in report.path.read_text(encoding="utf-8")


@needs_nodia
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["tabel3"], ["unknown result tabel3", "did you mean table3"]),
        (["table1", "--trials", "0"], ["--trials = 0", "must be >= 1"]),
        (["table1", "--steps", "-4"], ["--steps = -4"]),
        (["table1", "--trials", "many"], ["many"]),
        (["table1", "--nonsense"], ["--nonsense"]),
    ],
)
def test_bad_usage(tmp_path, arguments, words):
    expect_bad_input(run("paper", *arguments, cwd=tmp_path), *words)
    assert not list(tmp_path.iterdir())


@needs_nodia
def test_a_folder_that_cannot_be(tmp_path):
    (tmp_path / "file").write_text("")
    expect_bad_input(run("paper", "fig6", "--out", tmp_path / "file"), "--out", "directory")


@needs_nodia
def test_a_folder_in_use_is_left_alone_and_a_killed_run_is_no_obstacle(tmp_path):
    (tmp_path / "nodia.lock").write_text("77\n")
    with open(tmp_path / "nodia.lock") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        expect_bad_input(run("paper", "lu_fig3", "--out", tmp_path), "is in use, process 77")
    assert run("paper", "lu_fig3", "--out", tmp_path).returncode == 0
    assert not (tmp_path / "nodia.lock").exists()


@needs_nodia
def test_lists_the_results():
    done = run("paper")
    assert done.returncode == 0 and done.stderr == ""
    lines = done.stdout.splitlines()
    assert len(lines) == len(ENTRIES) + 1
    assert any(line.startswith("table3 ") and "PGS" in line for line in lines)


@needs_nodia
def test_makes_a_result_with_the_binary_it_was_started_from(tmp_path):
    solvers = [s["name"] for s in json.loads(run("info", "--json").stdout)["solvers"]]
    done = run("paper", "fig6", "--out", tmp_path, environment={"NODIA_PROGRAM": "/none"})
    assert done.returncode == (0 if "penalty" in solvers else 1), done.stderr
    assert (tmp_path / "fig6.png").is_file() and str(BINARY)
    with open(tmp_path / "fig6.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 101
    last = rows[-1]
    # (m g/4)/kv T below the floor, as published.
    assert float(last["z [m]"]) - 0.1 == pytest.approx(-0.5 * 9.81 / 4 / 1e5, rel=0.01)


@needs_nodia
@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--rows", "papr"], ["--rows = papr"]),
        (["--part", "3/2"], ["--part = 3/2"]),
        (["--part", "1/2x"], ["--part = 1/2x"]),
        (["--samples", "31"], ["--samples = 31"]),
        (["--iterations", "0"], ["--iterations"]),
        (["--ablation-w", "big"], ["--ablation-w = big"]),
    ],
)
def test_bad_sampling(tmp_path, options, words):
    path = _sliding_box(tmp_path)
    expect_bad_input(run("compare", path, *options), *words)


@needs_nodia
def test_samples_and_rows_are_those_asked_for(tmp_path):
    path = _sliding_box(tmp_path)
    sampling = ["--samples", "4", "--rows", "paper,residual", "--iterations", "3,6"]
    said = json.loads(
        run("compare", path, "--solvers", "cond,pgs", "--baseline-only", *sampling, "--json").stdout
    )
    purposes = ["paper", "residual", "3 iterations", "6 iterations"]
    assert [row["purpose"] for row in said["rows"]] == 2 * purposes
    for row in said["rows"]:
        assert [s["step"] for s in row["samples"]] == [8, 15, 23, 30]
        assert sum(s["solver_ms"] for s in row["samples"]) / 4 == pytest.approx(row["solver_ms"])
    three = said["rows"][2]
    assert [s["iterations"] for s in three["samples"]] == [3, 3, 3, 3]
    # More iterations, less error.
    assert said["rows"][7]["true_error"] < said["rows"][6]["true_error"]


@needs_nodia
def test_parts_make_the_whole(tmp_path):
    path = _sliding_box(tmp_path)

    def steps(*options):
        said = json.loads(
            run(
                "compare",
                path,
                "--set",
                "solver.solver=cond",
                "--solvers",
                "cond",
                "--rows",
                "residual",
                "--no-reference",
                "--all",
                *options,
                "--json",
            ).stdout
        )
        samples = said["rows"][0]["samples"]
        assert all(s["true_error"] is None for s in samples)
        return [(s["step"], s["contact_force_N"]) for s in samples]

    whole = steps()
    assert [step for step, _ in whole] == list(range(1, 31))
    parts = [pair for k in (1, 2, 3, 4) for pair in steps("--part", f"{k}/4")]
    assert parts == whole


def _sliding_box(tmp_path):
    from nodia_command import SLIDING_BOX

    path = tmp_path / "sliding_box.yaml"
    path.write_text(SLIDING_BOX)
    return path
