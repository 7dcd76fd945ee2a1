"""Rules for all tests: which are slow, and signals as in the foreground of a shell."""

import signal
from pathlib import Path

import pytest

SLOW = {
    tuple(line.split(maxsplit=2)[1:])
    for line in (Path(__file__).parent / "slow_tests.txt").read_text().splitlines()
    if not line.startswith("#")
}


def pytest_configure(config):
    config.addinivalue_line("markers", "slow: tests/slow_tests.txt lists it; tools/test.sh --quick leaves it out")
    # A shell's background jobs ignore SIGINT, and those of nohup ignore SIGHUP. The programs that tests interrupt would inherit that.
    for number, handler in ((signal.SIGINT, signal.default_int_handler), (signal.SIGHUP, signal.SIG_DFL)):
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, handler)


def pytest_collection_modifyitems(items):
    for item in items:
        if tuple(item.nodeid.split("::", 1)) in SLOW:
            item.add_marker(pytest.mark.slow)
