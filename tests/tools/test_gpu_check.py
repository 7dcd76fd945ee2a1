"""tools/gpu_check.sh: what it says without a GPU, and its report with stand-ins for what needs one."""

import json
import os
import subprocess
import sys

import pytest
from nodia_command import BINARY, SLIDING_BOX, SOURCE, needs_nodia, run

pytestmark = needs_nodia

# Runs the CPU where the GPU is asked for, and has no probes.
NODIA = """\
import json, subprocess, sys
from pathlib import Path
words = sys.argv[1:]
if words[0] == "bench":
    sys.exit("nodia: no probes") if "--probes" in words else print('{"rows": []}')
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
TESTS = """\
import json, sys
report = sys.argv[2].removeprefix("--gtest_output=json:")
tests = [{"name": "A", "classname": "Device", "result": "COMPLETED"}]
tests += [{"name": "B", "classname": "Device", "result": "COMPLETED", "failures": [{}]}] * FAILED
open(report, "w").write(json.dumps({"testsuites": [{"testsuite": tests}]}))
sys.exit(FAILED)
"""
SANITIZER = """\
import sys
print("========= ERROR SUMMARY: 1 error")
sys.exit(86 if "racecheck" in sys.argv else 0)
"""


def write_program(path, text, **names):
    path.parent.mkdir(parents=True, exist_ok=True)
    values = "".join(f"{name} = {value!r}\n" for name, value in names.items())
    path.write_text(f"#!{sys.executable}\n{values}{text}")
    path.chmod(0o755)


@pytest.fixture
def bundle(tmp_path):
    root = tmp_path / "bundle"
    write_program(root / "bin/nodia", NODIA, BINARY=str(BINARY))
    write_program(root / "bin/test_kernels", TESTS, FAILED=0)
    write_program(root / "bin/test_other", TESTS, FAILED=1)
    write_program(tmp_path / "path/compute-sanitizer", SANITIZER)
    (root / "scenarios/box").mkdir(parents=True)
    (root / "scenarios/box/box.yaml").write_text(SLIDING_BOX)
    return root


def gpu_check(*arguments, root=None, environment=None):
    script = SOURCE / "tools/gpu_check.sh"
    words = [script] if root is None else [sys.executable, "-m", "nodia_tools.gpu_check"]
    words += [] if root is None else ["--root", root]
    return subprocess.run(
        [*map(str, words), *map(str, arguments)],
        env=os.environ
        | {"PYTHONPATH": str(SOURCE / "tools/python"), "NODIA_PYTHON": sys.executable}
        | (environment or {}),
        capture_output=True,
        text=True,
        timeout=300,
    )


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


def test_every_part_reports_and_the_script_goes_on(bundle, tmp_path):
    out = tmp_path / "report.json"
    path = f"{tmp_path / 'path'}:{os.environ['PATH']}"
    environment = {"PATH": path}
    environment["NODIA_BINARY"] = str(bundle / "bin/nodia")
    done = gpu_check(out, "--quick", root=bundle, environment=environment)
    assert done.returncode == 1, done.stderr
    report = json.loads(out.read_text())
    assert report["gpu"] == ["a stand-in"]
    assert {"driver", "date", "commit", "machine", "compiler", "version"} <= set(report)
    parts = {part["part"]: part for part in report["parts"]}
    assert {name: part["status"] for name, part in parts.items()} == {
        "probes": "fail",
        "device_tests/test_kernels": "pass",
        "device_tests/test_other": "fail",
        "cpu_against_gpu/box/box": "pass",
        "benchmark": "pass",
        "sanitizer/memcheck/test_kernels": "pass",
        "sanitizer/memcheck/box/box": "pass",
        "sanitizer/racecheck/test_kernels": "fail",
        "sanitizer/racecheck/box/box": "fail",
    }
    assert all(part["reason"] for part in parts.values() if part["status"] == "fail")
    assert "no probes" in parts["probes"]["reason"]
    assert parts["device_tests/test_other"]["failed"] == ["Device.B"]
    box = parts["cpu_against_gpu/box/box"]
    assert box["steps"] == 60 and set(box["differences"].values()) == {0.0}
    assert len(done.stdout.splitlines()) == len(parts) + 1


def test_a_backend_that_is_refused_is_skipped(bundle, tmp_path):
    refusal = """\
import sys
if "cuda" in sys.argv:
    print("--backend = cuda", file=sys.stderr)
    sys.exit(2)
"""
    write_program(bundle / "bin/nodia", refusal + NODIA, BINARY=str(BINARY))
    done = gpu_check(
        tmp_path / "report.json",
        "--quick",
        root=bundle,
        environment={"NODIA_BINARY": str(bundle / "bin/nodia")},
    )
    assert done.returncode == 1
    parts = {p["part"]: p for p in json.loads((tmp_path / "report.json").read_text())["parts"]}
    assert parts["cpu_against_gpu/box/box"]["status"] == "skipped"
    assert parts["cpu_against_gpu/box/box"]["reason"] == "--backend = cuda"
