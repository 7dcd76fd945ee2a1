"""`--backend auto` and `nodia bench --calibrate` on the checked host backend. Its times mean nothing: tables are planted."""

import csv
import json
import os
import subprocess

import pytest
from nodia_command import BINARY, CHECKED_HOST, SLIDING_BOX, expect_bad_input, needs_checked_host, needs_nodia

pytestmark = [needs_nodia, needs_checked_host]

COND = SLIDING_BOX + "solver: {solver: cond}\n"
NODES = 18  # of the box
NONE_MADE = "no calibration of this machine; nodia bench --calibrate makes one"


def run(cache, *arguments, cwd=None, timeout=120):
    return subprocess.run(
        [CHECKED_HOST, *map(str, arguments)],
        cwd=cwd,
        env=os.environ | {"XDG_CACHE_HOME": str(cache)},
        capture_output=True,
        text=True,
        timeout=timeout,
    )


@pytest.fixture(scope="module")
def calibrated(tmp_path_factory):
    """What --calibrate made: (its standard output, the file's path, the file's content)."""
    cache = tmp_path_factory.mktemp("cache")
    done = run(cache, "bench", "--calibrate", "--quick", timeout=300)
    assert done.returncode == 0, done.stderr
    (path,) = (cache / "nodia").iterdir()
    return done.stdout, path, json.loads(path.read_text())


@pytest.fixture
def scenario(tmp_path):
    path = tmp_path / "box.yaml"
    path.write_text(COND)
    return path


class Machine:
    """A cache folder with a calibration in it, and runs by it."""

    def __init__(self, folder, name, calibration):
        self.cache = folder / "cache"
        self.path = self.cache / "nodia" / name
        self.path.parent.mkdir(parents=True)
        self.calibration = calibration

    def plant(self, points):
        table = self.calibration | {"points": [dict(zip(POINT_KEYS, p, strict=True)) for p in points]}
        self.path.write_text(json.dumps(table))

    def summary(self, scenario, *words):
        out = scenario.parent / "out"
        done = run(self.cache, "run", scenario, "--steps", 2, "--out", out, "--overwrite", "--json", *words)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def chosen(self, scenario, *words):
        summary = self.summary(scenario, *words)
        return summary["backend"], summary["backend_because"]


POINT_KEYS = ("loop", "n_row", "n_env", "precision", "cpu_ms", "cpu_brief_ms", "cuda_ms", "cuda_brief_ms")


@pytest.fixture
def machine(tmp_path, calibrated):
    _, path, content = calibrated
    return Machine(tmp_path, path.name, content)


def test_calibration_has_every_loop_and_precision(calibrated):
    out, path, content = calibrated
    assert content["format"] == "nodia_calibration" and content["format_version"] == 1
    assert content["device"] == "checked host backend"
    assert content["software"] == "driver for CUDA 13.0, toolkit 13.0"
    assert content["cpu"] and content["build"]
    kinds = {(p["loop"], p["precision"]) for p in content["points"]}
    loops, precisions = ("one_pass", "phases", "chains"), ("double", "mixed", "float")
    assert kinds == {(loop, precision) for loop in loops for precision in precisions}
    for loop, precision in kinds:
        sizes = [p for p in content["points"] if (p["loop"], p["precision"]) == (loop, precision)]
        assert len(sizes) == 3 and {p["n_env"] for p in sizes} == {1, 16}
        assert max(p["n_row"] for p in sizes) > 5 * min(p["n_row"] for p in sizes)
    for point in content["points"]:
        assert set(point) == set(POINT_KEYS)
        assert all(point[key] > 0 for key in POINT_KEYS if key.endswith("_ms"))
        assert point["cpu_brief_ms"] < 2 * point["cpu_ms"]
    lines = out.splitlines()
    assert lines[-1] == f"written to {path}"
    assert len(lines) == len(content["points"]) + 2


def test_json_is_the_file(calibrated, tmp_path):
    done = run(tmp_path, "bench", "--calibrate", "--quick", "--json", timeout=300)
    assert done.returncode == 0, done.stderr
    (path,) = (tmp_path / "nodia").iterdir()
    assert path.name == calibrated[1].name
    assert done.stdout == path.read_text()


def test_without_a_calibration_it_is_the_cpu(machine, scenario):
    summary = machine.summary(scenario)
    assert (summary["backend"], summary["backend_because"]) == ("cpu", NONE_MADE)
    assert summary["device"] is None
    on_console = run(machine.cache, "run", scenario, "--steps", 2, "--out", scenario.parent / "out2")
    assert f"cpu: {NONE_MADE}" in on_console.stdout


def test_the_table_decides(machine, scenario):
    faster = [("one_pass", NODES, 1, "double", 2, 1, 1, 0.5)]
    slower = [("one_pass", NODES, 1, "double", 1, 0.5, 2, 1)]
    words = "a step of this size is predicted to take {} ms on the device, {} ms on the CPU"
    machine.plant(faster)
    assert machine.chosen(scenario) == ("cuda", words.format(1, 2))
    machine.plant(slower)
    assert machine.chosen(scenario) == ("cpu", words.format(2, 1))
    machine.plant([("one_pass", NODES, 1, "double", 2, 1, 1, 1.2)])
    backend, because = machine.chosen(scenario)
    assert backend == "cpu" and because.startswith("a step of few iterations")
    machine.plant(faster)
    backend, because = machine.chosen(scenario, "--precision", "float")
    assert backend == "cpu" and "no steps of the loop one_pass in float precision" in because
    assert machine.chosen(scenario, "--backend", "cpu") == ("cpu", "")
    machine.plant(slower)
    assert machine.chosen(scenario, "--backend", "cuda") == ("cuda", "")


def test_a_crossing_is_met_by_environments_and_by_kind(machine, scenario):
    machine.plant(
        [
            ("one_pass", NODES, 1, "double", 1, 1, 2, 1),
            ("one_pass", NODES, 16, "double", 16, 16, 4, 4),
            ("phases", NODES, 1, "double", 1, 1, 0.5, 0.5),
        ]
    )
    assert machine.chosen(scenario)[0] == "cpu"
    assert machine.chosen(scenario, "--envs", 2) == (
        "cpu",
        "a step of this size is predicted to take 2.38 ms on the device, 2 ms on the CPU",
    )
    assert machine.chosen(scenario, "--envs", 8)[0] == "cuda"
    phases = "rigid_bodies={ball: {shape: sphere, radius_m: 0.02, mass_kg: 0.1, position_m: [1, 1, 1]}}"
    assert machine.chosen(scenario, "--set", phases)[0] == "cuda"


def test_bits_are_the_same_wherever_it_ran(machine, scenario):
    runs = []
    for times in ((2, 2, 1, 1), (1, 1, 2, 2)):
        machine.plant([("one_pass", NODES, 1, "double", *times)])
        machine.summary(scenario)
        with open(scenario.parent / "out" / "steps.csv", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        runs.append([{key: row[key] for key in row if not key.endswith("_ms")} for row in rows])
    assert len(runs[0]) == 2 and len(runs[0][0]) > 10
    assert runs[0] == runs[1]


def test_the_launcher_and_device_are_those_of_the_command(machine, scenario):
    machine.plant([("one_pass", NODES, 1, "double", 2, 2, 1, 1)])
    summary = machine.summary(scenario, "--loop", "checked", "--device", 0)
    assert (summary["backend"], summary["loop"], summary["device"]) == ("cuda", "checked", 0)
    machine.plant([("one_pass", NODES, 1, "double", 1, 1, 2, 2)])
    summary = machine.summary(scenario, "--loop", "checked", "--device", 0)
    assert (summary["backend"], summary["loop"], summary["device"]) == ("cpu", None, None)
    expect_bad_input(run(machine.cache, "run", scenario, "--device", 1), "--device = 1")
    expect_bad_input(run(machine.cache, "run", scenario, "--loop", "round"), "--loop = round")


def test_other_solvers_never_ask(machine, scenario):
    machine.plant([("one_pass", NODES, 1, "double", 2, 2, 1, 1)])
    newton = "newton runs on the GPU only with --backend cuda; the calibration does not cover newton"
    assert machine.chosen(scenario, "--solver", "newton") == ("cpu", newton)
    assert machine.chosen(scenario, "--solver", "pgs") == ("cpu", "pgs runs on the CPU only")


@pytest.mark.parametrize("solver", ["newton", "auto"])
def test_newton_takes_the_device_that_was_asked_for(machine, scenario, solver):
    on_device = machine.summary(scenario, "--solver", solver, "--backend", "cuda", "--loop", "launches")
    assert (on_device["backend"], on_device["loop"], on_device["backend_because"]) == ("cuda", "launches", "")
    if solver == "auto":
        assert on_device["solvers"] == {"newton": 2}
    on_cpu = machine.summary(scenario, "--solver", solver, "--backend", "cpu")
    assert on_device["error_estimate_max"] == on_cpu["error_estimate_max"]


RIGID = "rigid_bodies={ball: {shape: sphere, radius_m: 0.02, mass_kg: 0.1, position_m: [1, 1, 1]}}"
CABLE = "cables={rope: {points_m: [[1, 1, 1], [2, 1, 1]], links: 4, radius_m: 0.01, density_kg_m3: 1000, youngs_modulus_Pa: 1e6, poissons_ratio: 0.4}}"


@pytest.mark.parametrize(
    ("words", "because"),
    [
        (["--set", "bodies={}", "--set", RIGID], "newton without soft bodies factorises, which it does on the CPU"),
        (["--set", CABLE], "newton eliminates along cables, which it does on the CPU"),
        (
            ["--set", "solver.newton.linear_solver=direct"],
            "newton factorises on the CPU (solver.newton.linear_solver=auto takes multigrid)",
        ),
    ],
)
def test_what_has_no_form_on_a_device_runs_on_the_cpu_and_says_so(machine, scenario, words, because):
    words = ("--solver", "newton", "--backend", "cuda", "--device", 0, *words)
    assert machine.chosen(scenario, *words) == ("cpu", because)
    out = scenario.parent / "told"
    told = run(machine.cache, "run", scenario, "--steps", 2, "--out", out, *words)
    assert f"cpu: {because}" in told.stdout


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "parse error"),
        (b"\x00\xff\xfe{", "parse error"),
        (b"{}", "format"),
        (b'{"format": "nodia_bench", "format_version": 1}', "not nodia_calibration 1"),
    ],
)
def test_broken_files_are_ignored_in_words(machine, scenario, content, words):
    machine.path.write_bytes(content)
    backend, because = machine.chosen(scenario)
    assert backend == "cpu"
    assert f"{machine.path} is ignored" in because and words in because and "--calibrate" in because


def test_calibrations_of_others_are_ignored_in_words(machine, scenario):
    for key, words in (("build", "another build"), ("software", "another driver"), ("cpu", "another CPU")):
        other = machine.calibration | {key: "of yesterday"}
        machine.path.write_text(json.dumps(other))
        backend, because = machine.chosen(scenario)
        assert backend == "cpu" and words in because and "of yesterday" in because


def test_a_cache_folder_that_cannot_be_written_is_a_word(tmp_path, scenario):
    (tmp_path / "file").write_text("no folder")
    done = run(tmp_path / "file", "bench", "--calibrate", "--quick", timeout=300)
    assert done.returncode == 0
    assert "written to" not in done.stdout and "one_pass" in done.stdout
    assert "the calibration is not kept" in done.stderr
    done = run(tmp_path / "file", "run", scenario, "--steps", 2, "--json", cwd=tmp_path)
    assert json.loads(done.stdout)["backend_because"] == NONE_MADE


def test_solve_tells_where_it_ran(machine, scenario):
    def told(*words):
        done = run(machine.cache, "solve", scenario, "--step", 5, "--solver", "cond", *words)
        assert done.returncode == 0, done.stderr
        return done.stderr

    assert f"backend auto: cpu: {NONE_MADE}" in told()
    machine.plant([("one_pass", NODES, 1, "double", 2, 2, 1, 1)])
    assert "backend auto: cuda: a step of this size" in told()
    assert told("--backend", "cuda") == ""


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--loop", "checked"], ["--loop = checked", "--calibrate"]),
        (["--device", "7"], ["--device = 7"]),
        (["--nodes", "1500"], ["--nodes", "--calibrate"]),
        (["--out", "here"], ["--out", "--calibrate"]),
    ],
)
def test_bad_arguments(options, words, tmp_path):
    expect_bad_input(run(tmp_path, "bench", "--calibrate", *options, cwd=tmp_path), *words)
    assert list(tmp_path.iterdir()) == []


def test_an_interrupt_ends_it_and_keeps_nothing(tmp_path):
    words = [CHECKED_HOST, "bench", "--calibrate"]
    environment = os.environ | {"XDG_CACHE_HOME": str(tmp_path)}
    with subprocess.Popen(words, env=environment, stdout=subprocess.PIPE, text=True) as process:
        process.stdout.readline()
        process.stdout.readline()  # a point
        process.send_signal(2)
        process.stdout.read()
        assert process.wait(60) == 130
    assert list(tmp_path.iterdir()) == []
