"""nodia paper: reproduces tables and figures of the papers and compares them with the printed values.

Without an ID it lists the results. Every result is written to DIR as CSV and PNG files; report.md
summarises all of them. If a result cannot be produced, the report states the reason and the exit
code is 1.
"""

import contextlib
import difflib
import fcntl
import os
import sys
import time
from pathlib import Path

from nodia_tools.command_line import ArgumentParser, InputError, exit_code_of
from nodia_tools.paper.context import (
    DEFAULT_STEPS,
    DEFAULT_TRIALS,
    PAPER_TRIALS,
    Context,
    Progress,
)
from nodia_tools.paper.registry import ENTRIES
from nodia_tools.paper.report import Report
from nodia_tools.paper.result import CannotMake


def chosen_entries(ids, entries=ENTRIES):
    """The entries with the given ids, in the order of the registry. `all` selects every entry."""
    known = {entry.id: entry for entry in entries}
    for name in ids:
        if name != "all" and name not in known:
            near = difflib.get_close_matches(name, [*known, "all"], 1, 0)
            raise InputError(
                f"unknown result {name} (did you mean {near[0]}?; nodia paper lists all)"
            )
    return [entry for entry in entries if "all" in ids or entry.id in ids]


def make_all(entries, context):
    """Produces every entry and adds it to the report.

    @return the Report
    """
    context.progress = Progress(len(entries))
    report = Report(context)
    for entry in entries:
        start = time.monotonic()
        context.progress.begin(entry)
        result, failure = None, ""
        try:
            result = entry.make(context)
        except CannotMake as error:
            failure = str(error)
        seconds = time.monotonic() - start
        report.add(entry, result, failure, seconds)
        verdict = f"not made: {failure}" if failure else "made"
        if result is not None and result.missing:
            verdict = "made in part: " + "; ".join(result.missing)
        context.progress.end(entry, seconds, verdict)
    return report


def _list():
    width = max(len(entry.id) for entry in ENTRIES)
    for entry in ENTRIES:
        print(f"{entry.id:<{width}}  {entry.title} ({entry.paper}, {entry.place})")
    print(f"{'all':<{width}}  every one of them")
    return 0


def _positive(name, value):
    if value is not None and value < 1:
        raise InputError(f"{name} = {value} (must be >= 1)")
    return value


def _folder(arguments, entries):
    """The folder of the results. An earlier report is not replaced unless --resume or --overwrite is given."""
    out = Path(arguments.out)
    if not (arguments.resume or arguments.overwrite):
        number = 1
        while (out / "report.md").exists():
            number += 1
            out = Path(f"{Path(arguments.out)}-{number}")
        if number > 1:
            print(
                f"nodia paper: {arguments.out} holds report.md: results go to {out}", file=sys.stderr
            )
    if not (out / "data" / ".gitignore").exists():
        for path in [out / "report.md", *(out / f"{e.id}.{s}" for e in entries for s in ("csv", "png"))]:
            if path.exists():
                raise InputError(
                    f"{path} would be replaced, but nodia paper has not written it (choose another"
                    " folder with --out)"
                )
    return out


@contextlib.contextmanager
def _locked(folder):
    """Context that locks the folder for this process with nodia.lock, like the other verbs."""
    path = folder / "nodia.lock"
    with open(path, "a+", encoding="ascii") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.seek(0)
            raise InputError(
                f"{folder} is in use, process {lock.read().strip()} (wait for it, or choose another"
                " folder with --out)"
            ) from None
        except OSError:
            pass  # a file system without locks: continues unlocked
        lock.truncate(0)
        print(os.getpid(), file=lock, flush=True)
        try:
            yield
        finally:
            path.unlink(missing_ok=True)


def _paper(arguments):
    if not arguments.ids:
        return _list()
    entries = chosen_entries(arguments.ids)
    trials = _positive("--trials", arguments.trials)
    steps = _positive("--steps", arguments.steps)
    out = _folder(arguments, entries)
    try:
        (out / "data").mkdir(parents=True, exist_ok=True)
        # The report's folder can be committed as it is; git ignores the data from which it was produced.
        (out / "data" / ".gitignore").write_text("*\n", encoding="utf-8")
    except OSError as error:
        raise InputError(f"--out = {out} (must be a directory; {error.strerror})") from None
    context = Context(
        out,
        trials=trials or (PAPER_TRIALS if arguments.full else DEFAULT_TRIALS),
        steps=steps or (None if arguments.full else DEFAULT_STEPS),
        full=arguments.full,
        resume=arguments.resume,
    )
    try:
        with _locked(out):
            report = make_all(entries, context)
    except CannotMake as error:  # not even `nodia info` works
        print(f"nodia paper: {error}", file=sys.stderr)
        return 1
    print(report.path)
    if report.failed:
        print(f"nodia paper: not complete: {', '.join(report.failed)}", file=sys.stderr)
    return 1 if report.failed else 0


def main():
    parser = ArgumentParser(
        prog="nodia paper",
        description=__doc__,
        examples=["nodia paper", "nodia paper fig6 --out out/fig6"],
    )
    parser.add_argument("ids", metavar="ID", nargs="*", help="names of results, or all (default: list the names)")
    parser.add_argument("--out", metavar="DIR", default="out/paper", help="directory of the results (default out/paper)")
    parser.add_argument(
        "--full",
        action="store_true",
        help=f"all {PAPER_TRIALS} trials of the papers with every step; takes many hours",
    )
    parser.add_argument(
        "--trials", metavar="N", type=int, help=f"number of randomised trials (default {DEFAULT_TRIALS})"
    )
    parser.add_argument(
        "--steps", metavar="N", type=int, help=f"steps of each trial (default {DEFAULT_STEPS})"
    )
    parser.add_argument(
        "--overwrite",
        action="store_true",
        help="replace the results in DIR. Without this option new ones are written to DIR-2, DIR-3, ...",
    )
    parser.add_argument(
        "--resume", action="store_true", help="reuse the data of an earlier call in DIR/data"
    )
    arguments = parser.parse_args()
    return exit_code_of("nodia paper", lambda: _paper(arguments))


if __name__ == "__main__":
    sys.exit(main())
