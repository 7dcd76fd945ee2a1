"""tools/test_report.py: sums, and which skips are errors."""

import subprocess
import sys

import pytest
from nodia_command import SOURCE

GTEST = """<?xml version="1.0"?>
<testsuites><testsuite name="Law">
  <testcase name="Holds" status="run" result="completed" time="0.5" classname="Law" />
  <testcase name="Slips" status="run" result="{result}" time="12.5" classname="Law">{inside}</testcase>
</testsuite></testsuites>
"""
PYTEST = """<?xml version="1.0"?>
<testsuites><testsuite name="pytest">
  <testcase classname="tests.tools.test_a" name="test_b[c d]" time="6.0">{inside}</testcase>
</testsuite></testsuites>
"""


def report(folder, *words):
    done = subprocess.run(
        [sys.executable, SOURCE / "tools/test_report.py", folder, *words], capture_output=True, text=True, timeout=60
    )
    assert done.stderr == "" or done.returncode == 2, done.stderr
    return done.returncode, done.stdout


def write(folder, gtest="", pytest_inside=""):
    (folder / "test_kernels.quick.0.xml").write_text(GTEST.format(result="completed", inside=gtest))
    (folder / "pytest.xml").write_text(PYTEST.format(inside=pytest_inside))


def skipped(reason):
    return f'<skipped message="{reason}"/>'


def test_a_good_run_is_summed(tmp_path):
    write(tmp_path)
    assert report(tmp_path) == (0, "tests: 3 passed, 0 failed, 0 skipped\n")


def test_a_failure_of_either_kind_is_named(tmp_path):
    write(tmp_path, '<failure message="law.cpp:3&#10;Expected: 1">law.cpp:3</failure>', '<error message="boom">trace</error>')
    code, text = report(tmp_path)
    assert code == 1 and "FAILED  test_kernels Law.Slips: law.cpp:3\n" in text
    assert "FAILED  tests/tools/test_a.py test_b[c d]: boom\n" in text
    assert text.endswith("tests: 1 passed, 2 failed, 0 skipped\n")


@pytest.mark.parametrize(
    "reason", ["REFERENCE: ../shared/reference/none is absent", "PACKAGE: no-such-package is absent"]
)
def test_an_allowed_skip_is_counted_by_its_reason(tmp_path, reason):
    write(tmp_path, skipped(f"law.cpp:7&#10;{reason}"), skipped(reason))
    code, text = report(tmp_path)
    assert code == 0 and f"skipped    2  {reason}\n" in text
    assert text.endswith("tests: 1 passed, 0 failed, 2 skipped\n")


@pytest.mark.parametrize(
    "reason, why",
    [
        ("it takes long", "the reason must begin with GPU:, REFERENCE: or PACKAGE:"),
        ("GPU: ", "the reason must begin with GPU:, REFERENCE: or PACKAGE:"),
        ("", "the reason must begin with GPU:, REFERENCE: or PACKAGE:"),
        ("REFERENCE: tools/test.sh is absent", "it is present on this machine"),
        ("PACKAGE: bash is absent", "it is present on this machine"),
        ("PACKAGE: pytest is absent", "it is present on this machine"),
    ],
)
def test_any_other_skip_fails_the_run(tmp_path, reason, why):
    write(tmp_path, skipped(reason))
    code, text = report(tmp_path)
    assert code == 1 and f"SKIP NOT ALLOWED  test_kernels Law.Slips: {reason.strip() or 'no reason'} ({why})\n" in text


def test_no_results_are_an_error(tmp_path):
    assert report(tmp_path)[0] == 2


def test_slow_tests_are_listed_with_their_times(tmp_path):
    write(tmp_path)
    report(tmp_path, "--slow", tmp_path / "slow.txt")
    lines = [line for line in (tmp_path / "slow.txt").read_text().splitlines() if not line.startswith("#")]
    assert lines == ["12.5 test_kernels Law.Slips", "6.0 tests/tools/test_a.py test_b[c d]"]
