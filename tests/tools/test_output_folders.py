"""No run replaces another one, or a file of the user's, unless it is told to."""

import os
import shutil
import signal
import subprocess
import time

import pytest
from nodia_command import BINARY, expect_bad_input, needs_nodia, run, scenario

pytestmark = needs_nodia
__all__ = ["scenario"]

RUN = ["config.yaml", "steps.csv", "summary.json", "trajectory.vtkhdf"]


def contents(folder):
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def test_a_second_run_goes_to_a_folder_of_its_own_and_says_so(scenario, tmp_path):
    first = run("run", scenario, "--steps", 20, cwd=tmp_path)
    assert first.returncode == 0 and first.stderr == ""
    before = contents(tmp_path / "out/sliding_box")
    assert sorted(before) == RUN
    for number in (2, 3):
        more = run("run", scenario, "--steps", 2, cwd=tmp_path)
        assert more.returncode == 0
        assert more.stderr.count("\n") == 1
        assert f"results go to out/sliding_box-{number}" in more.stderr
        assert f"out/sliding_box-{number}" in more.stdout.splitlines()[-1]
    assert contents(tmp_path / "out/sliding_box") == before


def test_overwrite_replaces_a_run_and_nothing_else(scenario, tmp_path):
    words = ["run", scenario, "--out", tmp_path / "r", "--steps"]
    assert run(*words, 20, "--set", "output.part_frames=2").returncode == 0
    (tmp_path / "r/notes.txt").write_text("mine")
    done = run(*words, 3, "--overwrite")
    assert done.returncode == 0 and done.stderr == ""
    assert sorted(contents(tmp_path / "r")) == sorted([*RUN, "notes.txt"])
    assert (tmp_path / "r/steps.csv").read_text().count("\n") == 4
    assert not (tmp_path / "r-2").exists()


def test_the_scenario_itself_is_never_replaced(scenario, tmp_path):
    folder = tmp_path / "mine"
    folder.mkdir()
    shutil.copy(scenario, folder / "config.yaml")
    before = (folder / "config.yaml").read_bytes()
    done = run("run", folder / "config.yaml", "--steps", 2, "--out", folder)
    assert done.returncode == 0 and "mine-2" in done.stderr
    expect_bad_input(
        run("run", folder / "config.yaml", "--steps", 2, "--out", folder, "--overwrite"),
        "config.yaml would be replaced",
        "what this command reads",
    )
    # The configuration that a run wrote, run again in its place.
    again = tmp_path / "mine-2"
    expect_bad_input(
        run("run", again / "config.yaml", "--steps", 2, "--out", again, "--overwrite"),
        "what this command reads",
    )
    assert contents(folder) == {"config.yaml": before}
    assert sorted(contents(again)) == RUN


@pytest.mark.parametrize("options", [[], ["--overwrite"]])
def test_a_link_is_not_written_through(scenario, tmp_path, options):
    target = tmp_path / "elsewhere.csv"
    target.write_text("env,step,time_s,\n")
    (tmp_path / "r").mkdir()
    (tmp_path / "r/steps.csv").symlink_to(target)
    done = run("run", scenario, "--steps", 2, "--out", tmp_path / "r", *options)
    assert done.returncode == (2 if options else 0)
    assert target.read_text() == "env,step,time_s,\n"
    assert os.listdir(tmp_path / "r") == ["steps.csv"]


def test_a_folder_in_use_is_left_alone_and_a_killed_run_is_no_obstacle(scenario, tmp_path):
    words = [BINARY, "run", scenario, "--out", tmp_path / "r", "--steps", 1_000_000]
    child = subprocess.Popen(list(map(str, words)), stderr=subprocess.PIPE, text=True)
    try:
        deadline = time.monotonic() + 60
        while not (tmp_path / "r/config.yaml").exists() and time.monotonic() < deadline:
            time.sleep(0.01)
        assert (tmp_path / "r/nodia.lock").read_text() == f"{child.pid}\n"
        expect_bad_input(
            run("run", scenario, "--out", tmp_path / "r", "--overwrite"),
            f"is in use, process {child.pid}",
        )
        beside = run("run", scenario, "--out", tmp_path / "r", "--steps", 2)
        assert beside.returncode == 0 and "r-2" in beside.stderr
        assert child.poll() is None
    finally:
        child.send_signal(signal.SIGKILL)
        child.communicate(timeout=60)
    assert (tmp_path / "r/nodia.lock").exists()
    done = run("run", scenario, "--out", tmp_path / "r", "--steps", 2, "--overwrite")
    assert done.returncode == 0, done.stderr
    assert sorted(contents(tmp_path / "r")) == RUN


def test_a_bad_scenario_leaves_no_folder(scenario, tmp_path):
    done = run("run", scenario, "--solver", "none", "--out", tmp_path / "r")
    assert done.returncode == 2
    assert not (tmp_path / "r").exists()


def test_files_that_a_person_names_are_not_replaced_unasked(scenario, tmp_path):
    problem = tmp_path / "p.hdf5"
    export = ["solve", scenario, "--step", 8, "--export", "fclib", problem]
    assert run(*export).returncode == 0
    table = tmp_path / "table.csv"
    for words, path in (
        (export, problem),
        (["solve", problem, "--out", tmp_path / "answer.h5"], tmp_path / "answer.h5"),
        (["solve", problem, "--table", "--solvers", "pgs", "--csv", table], table),
    ):
        path.write_text("mine")
        if path == problem:
            expect_bad_input(run(*words), f"--export {path}", "--overwrite replaces it")
            assert path.read_text() == "mine"
            assert run(*words, "--overwrite").returncode == 0
            continue
        expect_bad_input(run(*words), str(path), "--overwrite replaces it")
        assert path.read_text() == "mine"
        assert run(*words, "--overwrite").returncode in (0, 1)
        assert path.read_bytes() != b"mine"


def test_studies_have_folders_of_their_own(tmp_path):
    words = ["scale", "scenarios/soft_mat/soft_mat.yaml", "--nodes", 60, "--average", 1]
    words += ["--threads", 1, "--rows", "own", "--solvers", "cond", "--out", tmp_path / "s"]
    source = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    for name in ("s", "s-2"):
        done = run(*words, cwd=source)
        assert done.returncode == 0, done.stderr
        assert sorted(os.listdir(tmp_path / name)) == ["scale.csv", "scale.png"]
    done = run(*words, "--overwrite", cwd=source)
    assert done.returncode == 0, done.stderr
    (tmp_path / "s/scale.csv").write_text("mine\n")
    expect_bad_input(run(*words, "--overwrite", cwd=source), "scale.csv would be replaced")
    assert (tmp_path / "s/scale.csv").read_text() == "mine\n"


def test_render_replaces_its_own_pictures_and_no_others(scenario, tmp_path):
    assert run("run", scenario, "--steps", 3, "--out", tmp_path / "r").returncode == 0
    picture = tmp_path / "p.png"
    words = ["render", tmp_path / "r", "--out", picture, "--size", "200x160", "--frames", 1]
    for _ in range(2):
        done = run(*words)
        assert done.returncode == 0, done.stderr
    picture.write_text("mine")
    done = run(*words)
    assert done.returncode == 2 and "--overwrite replaces any" in done.stderr
    assert picture.read_text() == "mine"
    assert run(*words, "--overwrite").returncode == 0
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_paper_keeps_earlier_reports(tmp_path):
    words = ["paper", "lu_fig2", "--trials", 1, "--steps", 2, "--out", tmp_path / "p"]
    assert run(*words).returncode == 0
    report = (tmp_path / "p/report.md").read_text()
    done = run(*words)
    assert done.returncode == 0 and f"results go to {tmp_path / 'p-2'}" in done.stderr
    assert (tmp_path / "p/report.md").read_text() == report
    assert (tmp_path / "p-2/report.md").exists()
    done = run(*words, "--overwrite")
    assert done.returncode == 0 and not (tmp_path / "p-3").exists()
    (tmp_path / "q").mkdir()
    (tmp_path / "q/lu_fig2.csv").write_text("mine")
    done = run(*words[:-1], tmp_path / "q")
    assert done.returncode == 2 and "lu_fig2.csv would be replaced" in done.stderr
    assert (tmp_path / "q/lu_fig2.csv").read_text() == "mine"
