"""What all tests know: a time after which no slow one begins, and signals as in a shell's foreground."""

import signal
import time

import pytest


def pytest_configure(config):
    config.addinivalue_line("markers", "slow: takes more than some seconds; left out by tools/test.sh --quick")
    # A shell's background jobs ignore SIGINT, those of nohup SIGHUP, and so would the programs that tests interrupt.
    for number, handler in ((signal.SIGINT, signal.default_int_handler), (signal.SIGHUP, signal.SIG_DFL)):
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, handler)


def pytest_addoption(parser):
    parser.addoption("--slow-until", type=float, metavar="SECONDS", help="since the epoch: no test marked slow begins later")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    until = item.config.getoption("--slow-until")
    if until is not None and item.get_closest_marker("slow") and time.time() > until:
        pytest.skip("slow, and the time for slow ones was over")
