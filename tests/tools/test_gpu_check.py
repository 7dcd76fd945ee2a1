"""tools/gpu_check.sh: its rows, its budget and its file, with stand-ins for nodia and CUDA's tools."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from nodia_command import BINARY, SLIDING_BOX, SOURCE, needs_nodia
from nodia_tools.gpu_check import command
from nodia_tools.gpu_check.check import Check, result
from nodia_tools.gpu_check.parts import FIRST_CALL, PARTS
from nodia_tools.gpu_check.programs import Clock
from nodia_tools.gpu_check.report import Report

CHECKED_HOST = BINARY.parents[1] / "tests/nodia_on_checked_host"

# Logs its arguments. FAULTS maps words of a call to a fault: the first that all occur in the call counts.
BEGIN = """\
import json, os, signal, subprocess, sys, time
from pathlib import Path
words = sys.argv[1:]
with open(os.environ["STAND_IN_LOG"], "a") as log:
    log.write(NAME + " " + " ".join(words) + "\\n")
fault = next((fault for call, fault in FAULTS.items() if all(word in " ".join(words) for word in call.split())), "")
if fault == "crashes":
    os.abort()
if fault == "hangs":
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    child = subprocess.Popen(["sleep", "1000"])
    with open(os.environ["STAND_IN_PIDS"], "a") as file:
        file.write(f"{os.getpid()} {child.pid}\\n")
    while True:
        time.sleep(1000)
"""
NODIA = """\
if words[0] == "info":
    about = {"version": "1", "commit": "abc", "compiler": "cc", "machine": {}}
    print(json.dumps({"devices": DEVICES, "no_device_because": "there is no device", **about}))
if words[0] == "run":
    out = Path(words[words.index("--out") + 1])
    out.mkdir(parents=True)
    value = "cuda" if fault == "differs" and "cuda" in words else 1.5
    out.joinpath("steps.csv").write_text(f"step,x_m,solver_ms\\n1,0,{time.time()}\\n2,{value},3\\n")
    out.joinpath("trajectory.vtkhdf").write_text(str(value))
    backend = words[words.index("--backend") + 1] if fault != "on the CPU" else "cpu"
    summary = {"backend": backend, "backend_because": "of its cables", "steps_on_device": 2}
    out.joinpath("summary.json").write_text(json.dumps(summary))
if words[0] == "bench":
    print(json.dumps({"where": {}}), flush=True)
    if fault == "skips":
        print(json.dumps({"skip": {"reason": "too little memory"}}))
    for k in range(10000 if fault == "slow" else 0 if fault == "skips" else 3):
        print(json.dumps({"row": {"k": k}}), flush=True)
        time.sleep(0.05 if fault == "slow" else 0)
    if fault.startswith("prints "):
        sys.stdout.buffer.write(eval(fault.removeprefix("prints ")) + b"\\n")
    print(json.dumps({"end": {}})) if fault != "ends early" else None
"""
# GoogleTest writes its results when all tests have ended.
TEST_KERNELS = """\
tests = [{"name": f"Test{k}", "stale_words": str(k)} for k in range(0 if fault == "no test" else 3)]
if fault == "fails":
    tests[1]["failures"] = [{"failure": "stale"}]
if fault == "skips":
    print("GPU: an old driver")
output = next(word for word in words if word.startswith("--gtest_output=json:"))
Path(output.partition(":")[2]).write_text(json.dumps({"testsuites": [{"testsuite": tests}] if tests else []}))
sys.exit(fault == "fails")
"""
SANITIZER = """\
print("========= COMPUTE-SANITIZER")
print("========= ERROR SUMMARY: 1 error" if fault == "race" else "========= ERROR SUMMARY: 0 errors")
sys.exit(86 if fault == "race" else 0)
"""
# Nsight Compute prints its table among the lines of the program. Twelve kernels: kernel k takes k ns.
NCU = """\
metrics = words[words.index("--metrics") + 1].split(",")
print("==PROF== Connected", flush=True)
subprocess.run(words[words.index("--launch-count") + 2:])
def line(*cells):
    print(",".join(f'"{cell}"' for cell in cells))
if fault != "no kernel":
    line("ID", "Kernel Name", *metrics[:-1])
    line("", "", *["ns"] * (len(metrics) - 1))
    for k in range(24):
        line(k, f"kernel<{k % 12}, B>(int)", *[f"1,{k % 12:03}"] * (len(metrics) - 1))
"""
SCENARIOS = ("quick_lift", "soft_mat")


def write_program(path, text, faults, **names):
    path.parent.mkdir(parents=True, exist_ok=True)
    values = "".join(f"{name} = {value!r}\n" for name, value in (names | {"NAME": path.name, "FAULTS": faults}).items())
    path.write_text(f"#!{sys.executable}\n{values}{BEGIN}{text}")
    path.chmod(0o755)


class Bundle:
    """A bundle of stand-ins, and calls of gpu_check in it."""

    def __init__(self, folder):
        self.folder, self.root = folder, folder / "bundle"
        self.write()
        for name in SCENARIOS:
            scenario = self.root / f"scenarios/{name}/{name}.yaml"
            scenario.parent.mkdir(parents=True)
            scenario.write_text(SLIDING_BOX)

    def write(self, faults={}, devices=("a stand-in",)):
        write_program(self.root / "bin/nodia", NODIA, faults, DEVICES=devices)
        write_program(self.root / "bin/test_kernels", TEST_KERNELS, faults)
        write_program(self.folder / "path/compute-sanitizer", SANITIZER, faults)
        write_program(self.folder / "path/ncu", NCU, faults)

    def start(self, *arguments):
        environment = {
            "PATH": f"{self.folder / 'path'}:{os.environ['PATH']}",
            "NODIA_PYTHON": sys.executable,
            "PYTHONPATH": str(SOURCE / "python"),
            "STAND_IN_LOG": str(self.folder / "log"),
            "STAND_IN_PIDS": str(self.folder / "pids"),
        }
        words = [sys.executable, "-m", "nodia_tools.gpu_check", "--root", self.root, *arguments]
        environment = {name: value for name, value in os.environ.items() if name != "NODIA_BINARY"} | environment
        pipe = subprocess.PIPE
        return subprocess.Popen(list(map(str, words)), env=environment, stdout=pipe, stderr=pipe, text=True)

    def check(self, *arguments):
        """@return exit code, rows by (part, name), the process's output and messages"""
        out = self.folder / f"out{len(list(self.folder.glob('out*')))}.json"
        process = self.start(out, *arguments)
        stdout, stderr = process.communicate(timeout=300)
        rows = rows_of(out) if out.exists() else {}
        return process.returncode, rows, stdout, stderr

    def calls(self, name):
        return [call for call in (self.folder / "log").read_text().splitlines() if call.startswith(name + " ")]

    def expect_ended(self):
        """Every process whose id a stand-in wrote down has ended."""
        for pid in map(int, (self.folder / "pids").read_text().split()):
            state = Path(f"/proc/{pid}/stat")
            assert not state.exists() or state.read_text().split()[2] == "Z", pid


@pytest.fixture
def bundle(tmp_path):
    return Bundle(tmp_path)


def rows_of(path):
    return {(row["part"], row["name"]): row for row in json.loads(path.read_text())["rows"]}


def names_of(rows, part):
    return {name for of, name in rows if of == part}


def statuses(rows):
    return {row["status"] for row in rows.values()}


def test_the_first_call_has_a_row_of_everything_that_it_must_answer(bundle):
    code, rows, stdout, stderr = bundle.check()
    assert code == 0 and not stderr, stderr
    assert statuses(rows) == {"pass"}
    solvers = ("default", "cond-double", "cond-float")
    assert names_of(rows, "bits") == {f"{name}/{name}/{solver}" for name in SCENARIOS for solver in solvers}
    assert names_of(rows, "tickets") == {"litmus"} and next(iter(rows)) == ("tickets", "litmus")
    sizes = [(case, n, p) for case in ("iteration", "step") for n in (1500, 34000) for p in ("float", "double")]
    sizes += [("iteration", 1500000, "float"), ("step", 1500000, "float")]
    assert names_of(rows, "times") == {f"{case}/{n}/{precision}" for case, n, precision in sizes}
    assert names_of(rows, "batches") == {f"{envs}/float" for envs in ("64x1500", "1024x1500", "4096x1500", "16384x375")}
    assert len(rows) == 6 + 1 + 10 + 4
    measured = [row for (part, _), row in rows.items() if part in ("times", "batches")]
    assert all(row["measured"] == [{"k": 0}, {"k": 1}, {"k": 2}] for row in measured)
    stale_words = [{"test": f"Test{k}", "stale_words": k} for k in range(3)]
    assert rows["tickets", "litmus"]["measured"] == stale_words
    assert len(stdout.splitlines()) == len(rows) + 1
    runs = [call for call in bundle.calls("nodia") if call.startswith("nodia run")]
    assert len(runs) == 12 and all("--steps 20 --set output.every_steps=1" in call for call in runs)
    assert any("--backend cuda" in call and "--solver" not in call for call in runs)
    assert sum("--solver cond --precision float" in call for call in runs) == 4


def test_the_second_call_has_the_ten_most_expensive_kernels_and_the_sanitizer(bundle):
    code, rows, _, stderr = bundle.check("--parts", "profile,sanitizer")
    assert code == 0 and not stderr, stderr
    assert names_of(rows, "profile") == {"1500/float", "34000/float", "1500000/float"}
    kernels = rows["profile", "34000/float"]["measured"]
    assert [kernel["kernel"] for kernel in kernels] == [f"kernel<{k}, B>(int)" for k in range(11, 1, -1)]
    assert kernels[0]["launches"] == 2 and kernels[0]["gpu__time_duration.sum"] == 1011
    assert kernels[0]["share_of_time"] == pytest.approx(1011 / sum(range(1000, 1012)))
    assert list(kernels[0].values())[-2] is None  # a metric that the tool does not know
    tools = ("memcheck", "racecheck", "initcheck", "synccheck")
    assert names_of(rows, "sanitizer") == {f"{tool}/{name}/{name}" for tool in tools for name in SCENARIOS}
    assert all("--loop launches" in call for call in bundle.calls("ncu") + bundle.calls("compute-sanitizer"))
    assert all("--profile-from-start off" in call for call in bundle.calls("ncu"))
    assert len(rows) == 3 + 8


def test_the_tree_has_a_row_of_every_scenario_and_the_smallest_ones_exist():
    programs = type("Tree", (), {"scenarios": {f"{p.parent.name}/{p.stem}": p for p in SOURCE.glob("scenarios/*/*.yaml")}})
    assert len(list(PARTS["bits"].checks(programs))) == 3 * len(list(SOURCE.glob("scenarios/*/*.yaml"))) > 30
    named = {check.name.partition("/")[2] for check in PARTS["sanitizer"].checks(programs)}
    assert len(named) == 2 and named <= set(programs.scenarios)


def test_each_fault_costs_its_own_row_only(bundle):
    """Programs that hang, crash, are slow or give wrong answers, all in one call."""
    faults = {
        "run quick_lift cond double": "hangs",
        "run soft_mat cond float": "crashes",
        "run soft_mat cond double": "differs",
        "run quick_lift cond float": "on the CPU",
        "--gtest_filter": "fails",
        "--nodes 1500 iteration double": "slow",
        "--nodes 34000 step float": "crashes",
        "--nodes 1500000 iteration": "ends early",
        "--envs 1024": "crashes",
        "--envs 4096": "skips",
    }
    bundle.write(faults)
    started = time.monotonic()
    code, rows, _, stderr = bundle.check("--budget", 60)
    assert time.monotonic() - started < 60
    assert code == 1 and not stderr, stderr
    wrong = {"/".join(key): row["status"] for key, row in rows.items() if row["status"] != "pass"}
    assert wrong == {
        "bits/quick_lift/quick_lift/cond-double": "unfinished",
        "bits/soft_mat/soft_mat/cond-float": "fail",
        "bits/soft_mat/soft_mat/cond-double": "fail",
        "bits/quick_lift/quick_lift/cond-float": "skipped",
        "tickets/litmus": "fail",
        "times/iteration/1500/double": "unfinished",
        "times/step/34000/float": "fail",
        "times/iteration/1500000/float": "fail",
        "batches/1024x1500/float": "fail",
        "batches/4096x1500/float": "skipped",
    }
    assert len(rows) == 21
    assert rows["bits", "soft_mat/soft_mat/cond-double"]["reason"] == "different bits in x_m, trajectory.vtkhdf"
    assert "of its cables" in rows["bits", "quick_lift/quick_lift/cond-float"]["reason"]
    assert "ended with -6" in rows["times", "step/34000/float"]["reason"]
    assert rows["tickets", "litmus"]["reason"] == "failed: Test1" and len(rows["tickets", "litmus"]["measured"]) == 3
    assert rows["batches", "4096x1500/float"]["reason"] == "too little memory"
    slow = rows["times", "iteration/1500/double"]
    assert "killed after" in slow["reason"] and slow["measured"][:3] == [{"k": 0}, {"k": 1}, {"k": 2}]
    bundle.expect_ended()


@pytest.mark.parametrize("fault", ["hangs", "slow"])
def test_a_call_ends_within_its_budget_if_every_program_hangs_or_is_slow(fault, bundle):
    bundle.write({"--gtest_filter": "hangs", "run": "hangs", "bench": fault})
    started = time.monotonic()
    code, rows, _, stderr = bundle.check("--budget", 12)
    assert time.monotonic() - started < 12
    assert code == 3 and not stderr, stderr
    assert len(rows) == 21 and statuses(rows) <= {"unfinished", "not run"}
    assert all(rows[key]["status"] == "unfinished" for key in rows if key[0] == "tickets")
    if fault == "slow":
        assert len(rows["times", "iteration/1500/float"]["measured"]) > 3
    bundle.expect_ended()


def limits_of(parts, budget_s, path):
    """Seconds that each check may take, if no check before it takes any."""
    limits = {}

    def recorder(part, name):
        def run(seconds, _):
            limits[part, name] = seconds
            return result("pass")

        return Check(name, run)

    programs = type("Programs", (), {"clock": Clock(budget_s), "scenarios": dict.fromkeys(f"s/{k}" for k in range(11))})
    report = Report(path, {})
    for k, part in enumerate(parts):
        checks = [recorder(part.name, check.name) for check in part.checks(programs)]
        seconds = command.part_seconds(parts[k:], programs.clock.left_s())
        command.run_part(part, checks, programs, report, seconds)
    return limits


@pytest.mark.parametrize("names", [FIRST_CALL, ("profile", "sanitizer"), ("batches",)])
def test_all_limits_are_shares_of_the_budget(names, tmp_path):
    parts = [PARTS[name] for name in names]
    once, twice = (limits_of(parts, budget_s, tmp_path / "a.json") for budget_s in (100004, 200004))
    assert set(once) == set(twice)
    for key, seconds in once.items():
        assert 0 < seconds < 100000
        assert twice[key] == pytest.approx(2 * seconds, rel=0.01)


def test_without_a_device_it_says_so_in_one_line(bundle):
    bundle.write(devices=())
    code, rows, stdout, stderr = bundle.check()
    assert code == 2 and stdout == "" and stderr == "gpu_check: there is no device\n" and not rows


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["report.txt"], "must end in .json"),
        (["none/report.json"], "directory that exists"),
        (["a.json", "b.json"], "b.json"),
    ],
)
def test_bad_arguments(arguments, words):
    done = subprocess.run([SOURCE / "tools/gpu_check.sh", *arguments], capture_output=True, text=True, timeout=60)
    assert done.returncode == 2 and done.stdout == ""
    assert words in done.stderr and done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--parts", "bits,ticket"], "--parts = ticket (must be one or more of tickets, bits"),
        (["--budget", "4"], "--budget"),
        (["--budget", "nan"], "--budget"),
    ],
)
def test_bad_options(options, words, bundle):
    code, rows, stdout, stderr = bundle.check(*options)
    assert code == 2 and stdout == "" and stderr.count("\n") == 1 and not rows
    assert words in stderr


def test_an_existing_file_is_not_replaced(bundle):
    out = bundle.folder / "kept.json"
    out.write_text("mine")
    process = bundle.start(out)
    assert process.communicate(timeout=60)[1] == f"gpu_check: {out} exists (name a new file)\n"
    assert process.returncode == 2 and out.read_text() == "mine"


@pytest.mark.parametrize("fault", ["hangs", "crashes"])
def test_a_program_that_does_not_start_is_named(fault, bundle):
    bundle.write({"info": fault})
    code, rows, _, stderr = bundle.check("--budget", 10)
    assert code == 2 and "does not run here" in stderr and stderr.count("\n") == 1 and not rows


@pytest.mark.parametrize("line", [b"\xff nonsense", b"[" * 100000, b"17", b"x" * 5000000])
def test_a_line_that_is_no_row_fails_and_keeps_the_rows(line, bundle):
    bundle.write({"--envs 64": "prints " + (repr(line) if len(line) < 100 else f"{line[:1]!r} * {len(line)}")})
    code, rows, _, stderr = bundle.check("--parts", "batches")
    assert code == 1 and not stderr, stderr
    row = rows["batches", "64x1500/float"]
    assert row["status"] == "fail" and "not a row" in row["reason"] and len(row["measured"]) == 3


@pytest.mark.parametrize(
    ("fault", "status", "reason"),
    [
        ("skips", "skipped", "GPU: an old driver"),
        ("no test", "fail", "no test ran"),
        ("crashes", "fail", "ended with -6: "),
        (None, "skipped", "test_kernels has not been built (run tools/build.sh)"),
    ],
)
def test_a_litmus_test_that_does_not_run_is_no_pass(fault, status, reason, bundle):
    bundle.write({"--gtest_filter": fault})
    if fault is None:
        (bundle.root / "bin/test_kernels").unlink()
    code, rows, _, stderr = bundle.check("--parts", "tickets")
    assert code == (1 if status == "fail" else 0) and not stderr, stderr
    assert rows["tickets", "litmus"]["status"] == status and rows["tickets", "litmus"]["reason"] == reason


@pytest.mark.parametrize(("fault", "words"), [("no kernel", "no kernel was profiled"), ("crashes", "ended with -6")])
def test_a_profile_without_kernels_fails(fault, words, bundle):
    bundle.write({"--metrics --nodes 1500 ": fault})
    code, rows, _, stderr = bundle.check("--parts", "profile")
    assert code == 1 and not stderr, stderr
    assert words in rows["profile", "1500/float"]["reason"] and rows["profile", "34000/float"]["status"] == "pass"


def test_an_error_of_the_sanitizer_fails(bundle):
    bundle.write({"--tool racecheck soft_mat": "race"})
    code, rows, _, _ = bundle.check("--parts", "sanitizer")
    assert code == 1 and rows["sanitizer", "racecheck/soft_mat/soft_mat"]["reason"] == "ERROR SUMMARY: 1 error"
    assert sum(row["status"] == "pass" for row in rows.values()) == 7


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_a_call_that_is_ended_keeps_its_rows(how, bundle):
    bundle.write({"bench --envs": "hangs"})
    out = bundle.folder / "a.json"
    process = bundle.start(out, "--parts", "tickets,batches")
    deadline = time.monotonic() + 60
    while not (bundle.folder / "pids").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    time.sleep(0.2)
    process.send_signal(how)
    process.communicate(timeout=30)
    rows = rows_of(out)
    assert rows["tickets", "litmus"]["status"] == "pass" and len(rows["tickets", "litmus"]["measured"]) == 3
    assert len(rows) == 5 and rows["batches", "4096x1500/float"]["status"] == "not run"
    if how == signal.SIGKILL:
        for pid in map(int, (bundle.folder / "pids").read_text().split()):
            os.kill(pid, signal.SIGKILL)
    else:
        assert process.returncode == 130
        bundle.expect_ended()


@needs_nodia
def test_runs_on_the_checked_host_have_the_bits_of_the_cpu(bundle):
    """The real program accepts the calls of `bits` and writes files that can be compared byte by byte."""
    assert CHECKED_HOST.exists(), f"{CHECKED_HOST} has not been built"
    (bundle.root / "bin/nodia").unlink()
    (bundle.root / "bin/nodia").symlink_to(CHECKED_HOST)
    code, rows, _, stderr = bundle.check("--parts", "bits")
    assert code == 0 and not stderr, stderr
    assert {row["status"] for (_, name), row in rows.items() if "cond" in name} == {"pass"}, rows
