"""tools/gpu_check.sh: what it says without a GPU, and its report with stand-ins for what needs one."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from nodia_command import BINARY, SLIDING_BOX, SOURCE, needs_nodia, run

pytestmark = needs_nodia

# Runs the CPU where the GPU is asked for, and has no probes. Its log has a line a call.
NODIA = """\
import json, os, subprocess, sys, time
from pathlib import Path
words = sys.argv[1:]
with open(os.environ["STAND_IN_LOG"], "a") as log:
    log.write(" ".join(words) + "\\n")
def say(**line):
    print(json.dumps(line), flush=True)
if words[0] == "bench":
    sys.exit("nodia: no probes") if "--probes" in words else None
    say(where={})
    for step in range(ROWS):
        say(row={"case": "step", "n_node": step})
        time.sleep(PAUSE_S)
    print(MORE, flush=True) if MORE else None
    say(end={})
    sys.exit(0)
cuda = "cuda" in words
words = ["cpu" if word == "cuda" else word for word in words]
done = subprocess.run([BINARY, *words], capture_output=True, text=True)
if words[0] == "info":
    print(json.dumps(json.loads(done.stdout) | {"devices": ["a stand-in"]}))
elif cuda:
    summary = Path(words[words.index("--out") + 1]) / "summary.json"
    summary.write_text(summary.read_text().replace('"backend": "cpu"', '"backend": "cuda"'))
sys.exit(done.returncode)
"""
# What Google Test prints of CASES, {test: what becomes of it}, without those that the filter excludes.
TESTS = """\
import os, signal, subprocess, sys, time
excluded = sys.argv[1].removeprefix("--gtest_filter=").partition("-")[2].split(":")
cases = {name: what for name, what in CASES.items() if name not in excluded}
print(f"[==========] Running {len(cases)} tests from 1 test suite.")
for name, what in cases.items():
    print(f"[ RUN      ] {name}", flush=True)
    if what == "crashes":
        os.abort()
    if what == "hangs":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        child = subprocess.Popen(["sleep", "1000"])
        open(os.environ["STAND_IN_PIDS"], "a").write(f"{os.getpid()} {child.pid} ")
        while True:
            time.sleep(1000)
    print("the words of it" if what == "FAILED" else "")
    print(f"[{what:^10}] {name} (3 ms)", flush=True)
sys.exit("FAILED" in cases.values())
"""
GOOD = {"Device.A": "OK", "Device.B": "OK"}
# Runs test programs; racecheck tells of an error in Device.A, and in every scenario.
SANITIZER = """\
import os, subprocess, sys
with open(os.environ["STAND_IN_LOG"], "a") as log:
    log.write(" ".join(["sanitizer", *sys.argv[1:]]) + "\\n")
race = sys.argv[2] == "racecheck"
print("========= COMPUTE-SANITIZER", flush=True)
words = sys.argv[5:]
program = subprocess.Popen(words if words[1] != "run" else ["true"], stdout=subprocess.PIPE, text=True)
for line in program.stdout:
    if race and "OK" in line and "Device.A" in line:
        print("========= Error: Race reported\\n=========     at a place")
    print(line, end="", flush=True)
print("========= ERROR SUMMARY: 1 error")
sys.exit(86 if race else program.wait())
"""
# Nsight Compute: its table among what the program prints.
NCU = """\
import os, subprocess, sys
words = sys.argv[1:]
with open(os.environ["STAND_IN_LOG"], "a") as log:
    log.write(" ".join(["ncu", *words]) + "\\n")
metrics = words[words.index("--metrics") + 1].split(",")
program = words[words.index("--launch-count") + 2:]
print("==PROF== Connected to process 1", flush=True)
subprocess.run(program)
def line(*cells):
    print(",".join(f'"{cell}"' for cell in cells))
line("ID", "Kernel Name", *metrics[:-1])
line("", "", *["ns"] * (len(metrics) - 1))
for k in range(4):
    line(k, ["one<A, B>(int)", "two"][k % 2], *[f"1,00{k}"] * (len(metrics) - 1))
"""
HANGS = """\
import signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
time.sleep(1000)
"""


def write_program(path, text, **names):
    path.parent.mkdir(parents=True, exist_ok=True)
    values = "".join(f"{name} = {value!r}\n" for name, value in names.items())
    path.write_text(f"#!{sys.executable}\n{values}{text}")
    path.chmod(0o755)


def write_nodia(path, rows=2, pause_s=0, more="", before=""):
    values = {"BINARY": str(BINARY), "ROWS": rows, "PAUSE_S": pause_s, "MORE": more}
    write_program(path, before + NODIA, **values)


@pytest.fixture
def bundle(tmp_path):
    root = tmp_path / "bundle"
    write_nodia(root / "bin/nodia")
    write_program(root / "bin/test_kernels", TESTS, CASES=GOOD)
    write_program(root / "bin/test_other", TESTS, CASES=GOOD | {"Device.C": "FAILED"})
    write_program(tmp_path / "path/compute-sanitizer", SANITIZER)
    write_program(tmp_path / "path/ncu", NCU)
    (root / "scenarios/box").mkdir(parents=True)
    (root / "scenarios/box/box.yaml").write_text(SLIDING_BOX)
    return root


def words_and_environment(arguments, root):
    script = SOURCE / "tools/gpu_check.sh"
    words = [script] if root is None else [sys.executable, "-m", "nodia_tools.gpu_check"]
    words += [] if root is None else ["--root", root]
    environment = {"PYTHONPATH": str(SOURCE / "python"), "NODIA_PYTHON": sys.executable}
    if root is not None:
        folder = root.parent
        environment |= {
            "NODIA_BINARY": str(root / "bin/nodia"),
            "PATH": f"{folder / 'path'}:{os.environ['PATH']}",
            "STAND_IN_LOG": str(folder / "log"),
            "STAND_IN_PIDS": str(folder / "pids"),
        }
    return [*map(str, words), *map(str, arguments)], os.environ | environment


def gpu_check(*arguments, root=None, environment=None):
    words, own = words_and_environment(arguments, root)
    return subprocess.run(
        words, env=own | (environment or {}), capture_output=True, text=True, timeout=300
    )


def checks_of(path):
    return {check["part"]: check for check in json.loads(path.read_text())["parts"]}


def calls_of(root):
    return (root.parent / "log").read_text().splitlines()


def test_without_a_gpu_it_says_so_in_one_line(tmp_path):
    if json.loads(run("info", "--json").stdout)["devices"]:
        pytest.skip("this machine has a CUDA device")
    done = gpu_check(tmp_path / "a.json", environment={"NODIA_BINARY": str(BINARY)})
    assert done.returncode == 2
    assert done.stdout == "" and done.stderr.count("\n") == 1
    assert done.stderr.startswith("gpu_check: ")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["report.txt"], "must end in .json"),
        (["none/report.json"], "directory that exists"),
        (["a.json", "b.json"], "b.json"),
    ],
)
def test_bad_arguments(arguments, words):
    done = gpu_check(*arguments)
    assert done.returncode == 2 and done.stdout == ""
    assert words in done.stderr and done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--parts", "probes,test"], ["--parts = test", "probes, tests, scenarios"]),
        (["--budget", "4"], ["--budget"]),
        (["--budget", "nan"], ["--budget"]),
        (["--budget", "long"], ["--budget"]),
    ],
)
def test_bad_parts_and_budgets(options, words, bundle, tmp_path):
    done = gpu_check(tmp_path / "a.json", *options, root=bundle)
    assert done.returncode == 2 and done.stdout == "" and done.stderr.count("\n") == 1
    assert all(word in done.stderr for word in words), done.stderr
    assert not (tmp_path / "a.json").exists()


def test_every_part_reports_and_the_script_goes_on(bundle, tmp_path):
    out = tmp_path / "report.json"
    done = gpu_check(out, "--quick", root=bundle)
    assert done.returncode == 1 and not done.stderr, done.stderr
    report = json.loads(out.read_text())
    assert report["gpu"] == ["a stand-in"]
    assert {"format", "format_version", "driver", "date", "commit", "machine", "compiler", "version", "calls"} <= set(report)
    checks = checks_of(out)
    status = {name: check["status"] for name, check in checks.items()}
    tools = ("memcheck", "racecheck", "initcheck", "synccheck")
    sanitized = {
        f"sanitizer/{tool}/{program}": "fail" if tool == "racecheck" or program == "test_other" else "pass"
        for tool in tools
        for program in ("test_kernels", "test_other", "box/box")
        if program != "box/box" or tool in ("memcheck", "racecheck")
    }
    measured = {name for name in status if name.split("/")[0] in ("benchmark", "batches", "large", "profile")}
    assert {name: status[name] for name in set(status) - measured} == {
        "probes": "fail",
        "tests/test_kernels": "pass",
        "tests/test_other": "fail",
        "scenarios/box/box": "pass",
        "repeats/box/box": "pass",
        **sanitized,
    }
    assert {status[name] for name in measured} == {"pass"}
    assert {"benchmark/1500/mixed", "batches/64x1500/float", "large/1500000/mixed"} <= measured
    assert all(check["reason"] for check in checks.values() if check["status"] == "fail")
    assert "no probes" in checks["probes"]["reason"]
    assert checks["tests/test_other"]["failed"] == ["Device.C"]
    assert checks["tests/test_other"]["rows"][2]["words"] == ["the words of it"]
    assert [row["n_node"] for row in checks["benchmark/1500/mixed"]["rows"]] == [0, 1]
    box = checks["scenarios/box/box"]
    assert box["steps"] == 60 and set(box["differences"].values()) == {0.0}
    assert len(done.stdout.splitlines()) == len(checks) + 1


def test_the_sanitizer_sees_every_launch(bundle, tmp_path):
    """Loops on the device are launches and no graphs."""
    gpu_check(tmp_path / "a.json", "--parts", "sanitizer", root=bundle)
    calls = [call for call in calls_of(bundle) if call.startswith("sanitizer ")]
    runs = [call for call in calls if " run " in call]
    tests = [call for call in calls if "--gtest_filter=" in call]
    assert len(runs) == 2 and len(tests) == 8 and len(calls) == 10
    assert all("--backend cuda --loop launches" in call for call in runs)
    assert all("*_graph:" in call.partition("--gtest_filter=")[2].partition("-")[2] for call in tests)


def test_what_the_sanitizer_tells_is_told_of_its_test(bundle, tmp_path):
    gpu_check(tmp_path / "a.json", "--parts", "sanitizer", root=bundle)
    checks = checks_of(tmp_path / "a.json")
    race = checks["sanitizer/racecheck/test_kernels"]
    assert race["status"] == "fail" and race["failed"] == ["Device.A"] and race["passed"] == 1
    assert race["rows"][0]["words"] == ["", "========= Error: Race reported", "=========     at a place"]
    assert checks["sanitizer/memcheck/test_other"]["failed"] == ["Device.C"]


def test_tests_that_a_sanitized_call_did_not_get_to_are_the_next_calls(bundle, tmp_path):
    out = tmp_path / "a.json"
    write_program(bundle / "bin/test_kernels", TESTS, CASES=GOOD | {"Device.C": "hangs"})
    (bundle / "bin/test_other").unlink()
    assert gpu_check(out, "--parts", "sanitizer", "--budget", 12, root=bundle).returncode in (1, 3)
    memory = checks_of(out)["sanitizer/memcheck/test_kernels"]
    assert memory["status"] == "unfinished" and memory["passed"] == 2
    write_program(bundle / "bin/test_kernels", TESTS, CASES=GOOD | {"Device.C": "OK"})
    n_call = len(calls_of(bundle))
    gpu_check(out, "--parts", "sanitizer", root=bundle)
    memory = checks_of(out)["sanitizer/memcheck/test_kernels"]
    assert memory["status"] == "pass" and memory["passed"] == 3
    again = next(call for call in calls_of(bundle)[n_call:] if "memcheck" in call and "test_kernels" in call)
    assert again.endswith(":Device.A:Device.B")


def test_the_profile_has_a_row_a_kernel(bundle, tmp_path):
    done = gpu_check(tmp_path / "a.json", "--parts", "profile", "--quick", root=bundle)
    assert done.returncode == 0 and not done.stderr, done.stderr
    rows = checks_of(tmp_path / "a.json")["profile/1500/double"]["rows"]
    assert [(row["kernel"], row["launches"]) for row in rows] == [("one<A, B>(int)", 2), ("two", 2)]
    assert [row["gpu__time_duration.sum"] for row in rows] == [1001, 1002]
    assert list(rows[0].values())[-1] is None  # what the tool does not know
    call = next(call for call in calls_of(bundle) if call.startswith("ncu "))
    assert "--clock-control none" in call and "--loop launches" in call


@pytest.mark.parametrize("program", ["print('==ERROR== no permission'); raise SystemExit(1)", "print('nothing')"])
def test_a_profile_without_kernels_fails_in_words(program, bundle, tmp_path):
    write_program(tmp_path / "path/ncu", program)
    done = gpu_check(tmp_path / "a.json", "--parts", "profile", "--quick", root=bundle)
    assert done.returncode == 1 and not done.stderr, done.stderr
    reason = checks_of(tmp_path / "a.json")["profile/1500/float"]["reason"]
    assert "no permission" in reason or "no kernel (nothing)" in reason


def test_runs_that_differ_from_themselves_fail(bundle, tmp_path):
    text = (bundle / "bin/nodia").read_text()
    changed = """\
import random
steps = Path(words[words.index("--out") + 1]) / "steps.csv" if "--out" in words else None
if steps is not None and steps.exists():
    steps.write_text(steps.read_text().replace("\\n0,1,", f"\\n0,{random.randrange(10**9)},"))
"""
    (bundle / "bin/nodia").write_text(text.replace("sys.exit(done.returncode)", changed + "sys.exit(done.returncode)"))
    done = gpu_check(tmp_path / "a.json", "--parts", "repeats", "--quick", root=bundle)
    assert done.returncode == 1 and not done.stderr, done.stderr
    assert checks_of(tmp_path / "a.json")["repeats/box/box"]["status"] == "fail"


def test_only_the_named_parts_run(bundle, tmp_path):
    done = gpu_check(tmp_path / "a.json", "--parts", "scenarios,probes", "--quick", root=bundle)
    assert done.returncode == 1 and not done.stderr, done.stderr
    assert list(checks_of(tmp_path / "a.json")) == ["scenarios/box/box", "probes"]


def test_a_backend_that_is_refused_is_skipped(bundle, tmp_path):
    refusal = """\
import sys
if "cuda" in sys.argv:
    print("--backend = cuda", file=sys.stderr)
    sys.exit(2)
"""
    write_nodia(bundle / "bin/nodia", before=refusal)
    done = gpu_check(tmp_path / "a.json", "--quick", "--parts", "scenarios", root=bundle)
    assert done.returncode == 0, done.stderr
    box = checks_of(tmp_path / "a.json")["scenarios/box/box"]
    assert box["status"] == "skipped" and box["reason"] == "--backend = cuda"


def expect_ended(folder):
    """Every process whose id a stand-in wrote down has ended."""
    for pid in map(int, (folder / "pids").read_text().split()):
        state = Path(f"/proc/{pid}/stat")
        assert not state.exists() or state.read_text().split()[2] == "Z", pid


@pytest.mark.parametrize("budget_s", [10, 20])
def test_programs_that_hang_end_inside_the_budget(budget_s, bundle, tmp_path):
    """Tests, scenarios and the sanitizer hang and ignore SIGTERM; the benchmark is too slow."""
    out = tmp_path / "a.json"
    cases = {"Device.A": "OK", "Device.B": "hangs"}
    write_program(bundle / "bin/test_kernels", TESTS, CASES=cases)
    (bundle / "bin/test_other").unlink()
    only_runs = "import sys\nif sys.argv[1] == 'run':\n" + "".join(
        f"    {line}\n" for line in HANGS.splitlines()
    )
    write_nodia(bundle / "bin/nodia", rows=10000, pause_s=0.1, before=only_runs)
    write_program(tmp_path / "path/compute-sanitizer", HANGS)
    started = time.monotonic()
    done = gpu_check(out, "--budget", budget_s, root=bundle)
    assert time.monotonic() - started < budget_s
    assert done.returncode in (1, 3), done.stderr
    checks = checks_of(out)
    kernels = checks["tests/test_kernels"]
    assert kernels["status"] == "unfinished" and "Device.B" in kernels["reason"]
    results = {row["test"]: row["result"] for row in kernels["rows"]}
    assert results == {"Device.A": "passed", "Device.B": "killed"}
    assert checks["scenarios/box/box"]["status"] in ("unfinished", "not run")
    assert checks["probes"]["status"] == "fail"
    large = checks["large/1500000/mixed"]
    assert large["status"] == "not run" and large["reason"] == "not run: out of time"
    expect_ended(tmp_path)


def test_rows_of_a_slow_program_are_kept(bundle, tmp_path):
    out = tmp_path / "a.json"
    write_nodia(bundle / "bin/nodia", rows=10000, pause_s=0.1)
    started = time.monotonic()
    done = gpu_check(out, "--budget", 6, "--quick", "--parts", "benchmark", root=bundle)
    assert time.monotonic() - started < 6
    assert done.returncode == 3, done.stderr
    checks = checks_of(out)
    first = checks["benchmark/1500/float"]
    assert first["status"] == "unfinished" and "killed after" in first["reason"]
    assert [row["n_node"] for row in first["rows"]] == list(range(len(first["rows"])))
    assert len(first["rows"]) >= 3
    assert checks["benchmark/6000/double"]["status"] == "not run"


def test_a_crash_is_recorded_and_does_not_hide_the_rest(bundle, tmp_path):
    cases = {"Device.A": "OK", "Device.B": "crashes", "Device.C": "OK", "Device.D": "SKIPPED"}
    write_program(bundle / "bin/test_kernels", TESTS, CASES=cases)
    done = gpu_check(tmp_path / "a.json", "--parts", "tests", root=bundle)
    assert done.returncode == 1 and not done.stderr, done.stderr
    kernels = checks_of(tmp_path / "a.json")["tests/test_kernels"]
    assert kernels["status"] == "fail" and kernels["failed"] == ["Device.B"]
    assert kernels["passed"] == 2 and kernels["skipped_tests"] == 1
    crashed = next(row for row in kernels["rows"] if row["test"] == "Device.B")
    assert crashed["result"] == "crashed" and "ended with -6" in " ".join(crashed["words"])


@pytest.mark.parametrize(
    "garbage", ["\udcff\udc80 nonsense", "[" * 100000, '{"row": 3}', "17", "x" * 5000000]
)
def test_garbage_is_a_failure_that_keeps_the_rows(garbage, bundle, tmp_path):
    out = tmp_path / "a.json"
    write_nodia(bundle / "bin/nodia", more=garbage)
    text = (bundle / "bin/nodia").read_text()
    prints = "sys.stdout.buffer.write(MORE.encode(errors='surrogateescape') + b'\\n')"
    (bundle / "bin/nodia").write_text(text.replace("print(MORE, flush=True)", prints))
    done = gpu_check(out, "--quick", "--budget", 60, "--parts", "benchmark", root=bundle)
    assert done.returncode == 1 and not done.stderr, done.stderr
    first = checks_of(out)["benchmark/1500/float"]
    assert first["status"] == "fail" and "printed what is no row" in first["reason"]
    assert len(first["rows"]) == 2 and out.stat().st_size < 100000


def test_a_program_that_ends_too_early_fails(bundle, tmp_path):
    out = tmp_path / "a.json"
    text = (bundle / "bin/nodia").read_text()
    (bundle / "bin/nodia").write_text(text.replace("    say(end={})\n", ""))
    done = gpu_check(out, "--quick", "--parts", "benchmark", root=bundle)
    assert done.returncode == 1 and not done.stderr, done.stderr
    assert "before its last line" in checks_of(out)["benchmark/1500/float"]["reason"]


@pytest.mark.parametrize("program", [HANGS, "print('garbage')", "import os; os.abort()"])
def test_a_program_that_does_not_answer_is_named(program, bundle, tmp_path):
    write_program(bundle / "bin/nodia", program)
    started = time.monotonic()
    done = gpu_check(tmp_path / "a.json", "--budget", 6, root=bundle)
    assert time.monotonic() - started < 6
    assert done.returncode == 2 and done.stderr.count("\n") == 1
    assert "does not run here" in done.stderr and not (tmp_path / "a.json").exists()


def test_a_second_call_goes_on_and_merges(bundle, tmp_path):
    """What has an outcome is not run again, what was killed or not begun is."""
    out = tmp_path / "a.json"
    cases = {"Device.A": "OK", "Device.B": "hangs", "Device.C": "FAILED"}
    write_program(bundle / "bin/test_kernels", TESTS, CASES=cases)
    (bundle / "bin/test_other").unlink()
    write_nodia(bundle / "bin/nodia", rows=600, pause_s=0.1)
    done = gpu_check(
        out, "--quick", "--budget", 24, "--parts", "scenarios,tests,benchmark", root=bundle
    )
    assert done.returncode == 1 and not done.stderr, done.stderr
    before = checks_of(out)
    assert before["scenarios/box/box"]["status"] == "pass"
    assert before["tests/test_kernels"]["failed"] == ["Device.C"]
    assert before["benchmark/1500/float"]["status"] == "unfinished"
    n_row = len(before["benchmark/1500/float"]["rows"])

    write_program(bundle / "bin/test_kernels", TESTS, CASES=cases | {"Device.B": "OK"})
    write_nodia(bundle / "bin/nodia", rows=n_row + 1)
    done = gpu_check(
        out, "--quick", "--parts", "tests,benchmark,scenarios,batches", root=bundle
    )
    assert done.returncode == 1 and not done.stderr, done.stderr
    checks = checks_of(out)
    assert set(checks) > set(before)
    assert checks["scenarios/box/box"] == before["scenarios/box/box"]
    assert sum(call.startswith("run ") for call in calls_of(bundle)) == 2
    results = {row["test"]: row["result"] for row in checks["tests/test_kernels"]["rows"]}
    assert results == {"Device.A": "passed", "Device.B": "passed", "Device.C": "failed"}
    assert checks["tests/test_kernels"]["status"] == "fail"
    rows = checks["benchmark/1500/float"]["rows"]
    assert [row["n_node"] for row in rows] == list(range(n_row + 1))
    unfinished = [c for c in checks.values() if c["status"] in ("unfinished", "not run")]
    assert unfinished == []
    assert [call["budget_s"] for call in json.loads(out.read_text())["calls"]] == [24, 540]

    n_call = len(calls_of(bundle))
    done = gpu_check(out, "--quick", "--parts", "benchmark", root=bundle)
    assert done.returncode == 0 and len(calls_of(bundle)) == n_call + 1  # info alone


@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"calls": 3, "parts": [4]}', "\udcff"])
def test_a_file_that_is_no_report_is_left_alone(text, bundle, tmp_path):
    out = tmp_path / "a.json"
    out.write_bytes(text.encode(errors="surrogateescape"))
    done = gpu_check(out, "--parts", "probes", root=bundle)
    assert done.returncode == 2 and done.stderr.count("\n") == 1
    assert "not a report" in done.stderr
    assert out.read_bytes() == text.encode(errors="surrogateescape")


def test_a_report_of_another_build_is_left_alone(bundle, tmp_path):
    out = tmp_path / "a.json"
    gpu_check(out, "--parts", "probes", root=bundle)
    other = out.read_text().replace('"commit": "', '"commit": "x')
    out.write_text(other)
    done = gpu_check(out, "--parts", "probes", root=bundle)
    assert done.returncode == 2 and "commit = x" in done.stderr
    assert out.read_text() == other


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_a_script_that_is_ended_leaves_what_it_had(how, bundle, tmp_path):
    out = tmp_path / "a.json"
    cases = {"Device.A": "OK", "Device.B": "hangs"}
    write_program(bundle / "bin/test_kernels", TESTS, CASES=cases)
    words, environment = words_and_environment([out, "--parts", "tests"], bundle)
    script = subprocess.Popen(words, env=environment, stdout=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 60
        while not (tmp_path / "pids").exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        time.sleep(0.2)
        script.send_signal(how)
        code = script.wait(timeout=20)
    finally:
        script.kill()
    rows = checks_of(out)["tests/test_kernels"]["rows"]
    assert [(row["test"], row["result"]) for row in rows] == [("Device.A", "passed")]
    if how == signal.SIGKILL:
        for pid in map(int, (tmp_path / "pids").read_text().split()):
            os.kill(pid, signal.SIGKILL)
    else:
        assert code == 130
        expect_ended(tmp_path)
