"""What a check of gpu_check is, and what comes of it."""

import json
from typing import Callable, NamedTuple

PASS, FAIL, SKIPPED = "pass", "fail", "skipped"
# Killed before its end, and never begun: a later call begins them again.
UNFINISHED, NOT_RUN = "unfinished", "not run"


class Check(NamedTuple):
    """One line of the report.

    run(limit_s, rows, keep) returns its outcome in about limit_s; `rows` are those of an earlier
    call that did not finish, keep(row) takes a new one; rows of the same key(row) replace another.
    """

    name: str
    run: Callable
    limit_s: float
    least_s: float = 0.5  # with less time left it is not begun
    key: Callable = json.dumps


class Part(NamedTuple):
    name: str
    checks: Callable  # (place, options): its checks, in order
    limit_s: float


def result(status, reason="", **more):
    return {"status": status, "reason": reason, **more}


def last_line(text):
    lines = text.strip().splitlines()
    return lines[-1] if lines else ""


def last_words(done):
    """The last line of a program's messages, or of its output."""
    return last_line(done.stderr) or last_line(done.stdout)


def unfinished(done, words=""):
    return result(UNFINISHED, f"killed after {done.seconds:.1f} s{words}")


def failed(done, what=""):
    """Of a program that ended with an error."""
    return result(FAIL, f"{what}ended with {done.returncode}: {last_words(done)}")


def refused(done):
    """Whether a program refused the backend."""
    return done.returncode == 2 and "--backend" in done.stderr
