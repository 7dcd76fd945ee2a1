"""`nodia bench`: arguments, the shape of its JSON, the counted bytes and flops, its files."""

import csv
import json
import subprocess

import numpy as np
import pytest
from nodia_command import BINARY, NO_DEVICE, SOURCE, expect_bad_input, needs_nodia, run
from PIL import Image

pytestmark = needs_nodia

ROW_KEYS = {
    "case",
    "backend",
    "n_node",
    "n_env",
    "precision",
    "threads",
    "format",
    "us_per_iteration",
    "ratio_to_eigen_csr",
    "share_of_copy_bandwidth",
    "env_steps_per_s",
    "bytes_per_iteration",
    "flops_per_iteration",
    "ratio_to_read_time",
    "gb_per_s",
    "ratio_to_own_product",
    "step_over_solve",
    "stop",
    "before_loop_ms",
    "loop_ms",
    "set_up_us_per_env",
    "solver_set_up_us_per_env",
    "speedup_over_serial",
    "error_vs_double",
    "floor_ended_share",
}
SMALL = ["bench", "--backend", "cpu", "--nodes", 60, "--envs", "2", "--quick", "--threads", 1]


@pytest.fixture(scope="module")
def small_bench(tmp_path_factory):
    """The smallest mat, one thread: (JSON object, directory)."""
    directory = tmp_path_factory.mktemp("bench") / "out"
    done = run(*SMALL, "--json", "--out", directory, timeout=300)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout), directory


def rows_of(bench, case):
    return [row for row in bench["rows"] if row["case"] == case]


def test_json_has_the_contract_keys(small_bench):
    bench, _ = small_bench
    for key in ("machine", "compiler", "commit", "rows", "skipped", "devices"):
        assert key in bench
    assert bench["scenario"] == "soft_mat"
    assert all(set(row) >= ROW_KEYS for row in bench["rows"])
    assert {row["case"] for row in bench["rows"]} == {
        "eigen_csr_product",
        "block_product",
        "iteration",
        "assembly",
        "detection",
        "search",
        "integration",
        "energies",
        "judgement",
        "step",
        "batch_step",
        "batch_set_up",
        "task_step",
    }
    assert all(row["backend"] == "cpu" and row["threads"] == 1 for row in bench["rows"])
    rules = [(row["precision"], row["stop"]) for row in rows_of(bench, "iteration")]
    assert rules == [
        (precision, stop)
        for precision in ("double", "mixed", "float")
        for stop in ("paper", "residual")
    ]
    assert {row["stop"] for row in bench["rows"] if row["case"] != "iteration"} == {""}


def test_what_a_case_has_is_positive_and_what_it_has_not_is_null(small_bench):
    bench, _ = small_bench
    measured = {
        "eigen_csr_product": {"us_per_iteration", "share_of_copy_bandwidth", "ratio_to_read_time"},
        "block_product": {"us_per_iteration", "ratio_to_eigen_csr", "flops_per_iteration"},
        "iteration": {"us_per_iteration", "ratio_to_eigen_csr", "bytes_per_iteration", "gb_per_s"},
        "integration": {"us_per_iteration", "bytes_per_iteration", "gb_per_s"},
        "energies": {"us_per_iteration", "bytes_per_iteration", "gb_per_s"},
        "judgement": {"us_per_iteration", "bytes_per_iteration", "gb_per_s"},
        "step": {
            "us_per_iteration",
            "env_steps_per_s",
            "step_over_solve",
            "iterations",
            "before_loop_ms",
            "loop_ms",
        },
        "batch_step": {"env_steps_per_s", "speedup_over_serial"},
        "batch_set_up": {"set_up_us_per_env", "solver_set_up_us_per_env"},
        "task_step": {"step_ms", "env_steps_per_s", "speedup_over_serial"},
    }
    for case, keys in measured.items():
        for row in rows_of(bench, case):
            assert all(row[key] > 0 for key in keys), row
    assert all(row["ratio_to_eigen_csr"] == 1 for row in rows_of(bench, "eigen_csr_product"))
    for row in bench["rows"]:
        assert row["ratio_to_own_product"] is None, "of products on the device alone"
        if row["gb_per_s"] is not None:
            speed = 1e-3 * row["bytes_per_iteration"] / row["us_per_iteration"]
            assert row["gb_per_s"] == pytest.approx(speed)
    assert all(row["step_over_solve"] > 1 for row in rows_of(bench, "step"))
    for row in rows_of(bench, "step"):
        solve_ms = 1e-3 * row["us_per_iteration"] * row["iterations"]
        assert row["before_loop_ms"] + row["loop_ms"] < solve_ms
    errors = {row["precision"]: row["error_vs_double"] for row in rows_of(bench, "iteration")}
    assert errors["double"] == 0 and 0 < errors["mixed"] < 1e-7 and 0 < errors["float"] < 1e-3
    assert all(row["speedup_over_serial"] is None for row in rows_of(bench, "iteration"))
    assert all(row["n_env"] == 2 for row in rows_of(bench, "batch_step") + rows_of(bench, "task_step"))
    for row in rows_of(bench, "batch_set_up"):
        assert row["n_env"] == 2 and row["floor_ended_share"] is None
        assert row["solver_set_up_us_per_env"] < row["set_up_us_per_env"]


MAT_COMES_TO_REST = """
name: rest
solver: {solver: newton, tolerance: 1e-3}
bodies:
  mat:
    mesh: {mat: {size_m: [0.2, 0.2, 0.01], nodes: 100}}
    youngs_modulus_Pa: 1e5
    rayleigh_mass_1_s: 10
    rayleigh_stiffness_s: 0.1
obstacles: {floor: {shape: half_space}}
"""


def test_the_share_of_steps_that_the_absolute_floor_ended(tmp_path):
    """A heavily damped mat moves at first; at rest what remains is rounding."""
    path = tmp_path / "rest.yaml"
    path.write_text(MAT_COMES_TO_REST)
    words = [*SMALL[1:5], "--threads", 1, "--precision", "double", "--cases", "step,batch_step"]

    def bench(n_step, *more):
        done = run("bench", path, *words, "--envs", 2, "--steps", n_step, *more)
        assert done.returncode == 0, done.stderr
        return done.stdout

    moving = json.loads(bench(5, "--json"))["rows"]
    assert [(row["case"], row["floor_ended_share"]) for row in moving] == [
        ("step", 0),
        ("batch_step", 0),
    ]
    resting = json.loads(bench(100, "--json"))["rows"]
    assert all(0.1 < row["floor_ended_share"] < 0.9 for row in resting)
    header, *rows = bench(100).splitlines()
    assert header.split()[-1] == "floor"
    assert [line.split()[-1] for line in rows] == [
        f"{row['floor_ended_share']:.2f}" for row in resting
    ]


def test_counted_bytes_and_flops(small_bench):
    """Solved for the number of blocks and of contacts, which must come out the same everywhere."""
    bench, _ = small_bench
    eigen = rows_of(bench, "eigen_csr_product")[0]
    n = eigen["n_node"]
    n_block = eigen["flops_per_iteration"] / 18
    assert n_block == int(n_block) and n_block > n
    assert eigen["bytes_per_iteration"] == 9 * n_block * (8 + 4) + 3 * n * (8 + 8 + 4)
    for row, value in zip(rows_of(bench, "block_product"), (8, 4)):
        assert row["flops_per_iteration"] == 18 * n_block
        assert row["bytes_per_iteration"] == n_block * (9 * value + 4) + n * (6 * value + 4)
    # Values of a node: y, v_prev, b, v_next, v** and W; mixed has the reference and its gradient in
    # the place of b, and two float increments.
    node = {"double": 16 * 8, "mixed": 19 * 8 + 6 * 4, "float": 16 * 4}
    difference = {"double": 0, "mixed": 3 * n_block, "float": 3 * (n_block - n)}
    n_contact = set()
    for row in rows_of(bench, "iteration"):
        precision = row["precision"]
        matrix = 8 if precision == "double" else 4
        more = row["flops_per_iteration"] - 18 * n_block - n * (9 + 27) - difference[precision]
        contacts = more / 51
        assert row["bytes_per_iteration"] == n_block * (9 * matrix + 4) + n * (
            node[precision] + 4
        ) + contacts * 17 * (4 if precision == "float" else 8)
        n_contact.add(contacts)
    assert len(n_contact) == 1 and 0 < n_contact.pop() <= n


def test_files(small_bench):
    bench, directory = small_bench
    assert json.loads((directory / "bench.json").read_text()) == bench
    with open(directory / "bench.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["case"] for row in rows] == [row["case"] for row in bench["rows"]]
    assert float(rows[0]["us_per_iteration"]) == bench["rows"][0]["us_per_iteration"]
    assert rows[0]["speedup_over_serial"] == ""
    assert np.asarray(Image.open(directory / "bench.png").convert("L")).std() > 5


def test_batches_that_are_too_large_are_named(tmp_path):
    done = run(*SMALL, "--precision", "double", "--batch-nodes", 10, "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    bench = json.loads(done.stdout)
    assert rows_of(bench, "batch_step") == []
    assert rows_of(bench, "task_step") == []
    assert [s["case"] for s in bench["skipped"]] == ["batch_step", "batch_set_up", "task_step"]
    assert all("--batch-nodes = 10" in s["reason"] for s in bench["skipped"])
    assert list(tmp_path.iterdir()) == []


def test_only_the_named_cases_are_measured():
    done = run(*SMALL, "--precision", "float", "--cases", "detection,batch_step", "--json")
    assert done.returncode == 0, done.stderr
    assert [row["case"] for row in json.loads(done.stdout)["rows"]] == ["detection", "batch_step"]


def test_large_batches_are_not_paired():
    words = [*SMALL[:5], "--precision", "float", "--cases", "batch_step", "--envs", "64,65"]
    done = run(*words, "--threads", 1, "--steps", 1, "--json")
    assert done.returncode == 0, done.stderr
    paired, large = json.loads(done.stdout)["rows"]
    assert paired["n_env"] == 64 and paired["speedup_over_serial"] > 0
    assert large["n_env"] == 65 and large["speedup_over_serial"] is None
    assert large["env_steps_per_s"] > 0


@pytest.mark.parametrize(
    ("nodes", "envs", "skipped"),
    [(1500, 100000, ["batch_step"]), (900000000, 1, ["iteration", "step", "batch_step"])],
)
def test_what_memory_does_not_hold_is_refused_before_it_is_built(nodes, envs, skipped):
    """No machine has 1.5 TB free."""
    words = ["--nodes", nodes, "--envs", envs, "--batch-nodes", 2000000000]
    words += ["--cases", "batch_step" if envs > 1 else "iteration,step,batch_step"]
    done = run(*SMALL[:3], "--precision", "float", *words, "--json", timeout=60)
    assert done.returncode == 0, done.stderr
    bench = json.loads(done.stdout)
    assert bench["rows"] == [] and [skip["case"] for skip in bench["skipped"]] == skipped
    for skip in bench["skipped"]:
        assert "needs about" in skip["reason"] and "are free" in skip["reason"]


def test_lines_come_as_soon_as_they_are_known():
    """Of a bench that is killed after its first row, that row is left."""
    words = [BINARY, *SMALL, "--precision", "float", "--cases", "iteration,step,batch_step"]
    words += ["--json-lines", "--steps", 100000]
    process = subprocess.Popen(
        list(map(str, words)), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    try:
        lines = [json.loads(process.stdout.readline()) for _ in range(2)]
        assert process.poll() is None
    finally:
        process.kill()
        process.wait()
    (first,), (second,) = (line.keys() for line in lines)
    assert (first, second) == ("where", "row")
    assert {"machine", "devices", "scenario", "commit"} <= set(lines[0]["where"])
    assert set(lines[1]["row"]) >= ROW_KEYS


def test_lines_hold_what_the_object_holds():
    words = [*SMALL, "--precision", "float", "--cases", "step,batch_step", "--batch-nodes", 10]
    done = run(*words, "--json-lines")
    assert done.returncode == 0, done.stderr
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [next(iter(line)) for line in lines] == ["where", "row", "skip", "end"]
    assert lines[1]["row"]["case"] == "step" and lines[2]["skip"]["case"] == "batch_step"
    assert lines[3]["end"] == {"rows": 1}


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--nodes", "10"], ["--nodes = 10", ">= 50"]),
        (["--nodes", "many"], ["--nodes"]),
        (["--envs", "0"], ["--envs = 0"]),
        (["--threads", "-1"], ["--threads = -1"]),
        (["--precision", "half"], ["--precision = half", "double", "float"]),
        (["--backend", "tpu"], ["--backend = tpu", "cpu, cuda or all"]),
        (["--loop", "graphs"], ["--loop = graphs", "auto, graph, launches or checked"]),
        (["--backend", "cpu", "--loop", "launches"], ["--loop = launches", "--backend cpu"]),
        (["--device", "99"], ["--device = 99", "CUDA"]),
        (["--batch-nodes", "0"], ["--batch-nodes"]),
        (["--cases", "step,solve"], ["--cases = solve", "iteration, product, assembly"]),
        (["--rounds", "0"], ["--rounds = 0"]),
        (["--steps", "0"], ["--steps = 0"]),
        (["--json", "--json-lines"], ["--json-lines"]),
        (["none.yaml"], ["none.yaml"]),
        (["--nonsense"], []),
    ],
)
def test_bad_arguments(options, words, tmp_path):
    expect_bad_input(run("bench", *options, cwd=tmp_path), *words)
    assert list(tmp_path.iterdir()) == []


def test_without_a_device_it_says_so():
    expect_bad_input(run("bench", "--backend", "cuda", environment=NO_DEVICE), "--backend")


def test_every_backend_is_measured_or_named():
    done = run(*SMALL[:1], *SMALL[3:], "--precision", "double", "--backend", "all", "--json")
    assert done.returncode == 0, done.stderr
    bench = json.loads(done.stdout)
    named = {row["backend"] for row in bench["rows"]} | {s["backend"] for s in bench["skipped"]}
    assert named == {"cpu", "cuda"}


def test_a_scenario_without_a_soft_body(tmp_path):
    path = tmp_path / "empty.yaml"
    path.write_text("name: empty\nobstacles: {floor: {shape: half_space}}\n")
    done = run("bench", path)
    assert done.returncode == 2 and done.stderr.count("\n") == 1


def test_the_default_scenario_moves_with_the_source_directory(tmp_path):
    done = run("bench", environment={"NODIA_SOURCE_DIR": str(tmp_path)})
    expect_bad_input(done, str(tmp_path / "scenarios/soft_mat/soft_mat.yaml"))
    assert (SOURCE / "scenarios/soft_mat/soft_mat.yaml").exists()
