"""nodia export: converts a dataset of `nodia generate` to a format that learning libraries read.

lerobot: LeRobotDataset v3.0, Parquet and JSON files, for LeRobot 0.4.4 and newer. robomimic: dataset.hdf5, for
robomimic 0.3. Quarantined episodes are left out. The README.md in OUT describes the data and their quality. OUT is created only
after the export is complete.
"""

import json
import signal
import sys
from pathlib import Path

from nodia_tools.command_line import ArgumentParser, InputError, exit_code_of
from nodia_tools.export.card import HUGGING_FACE_HEAD, WorstErrors, card
from nodia_tools.export.dataset import Dataset
from nodia_tools.export.lerobot import columns_in_words as lerobot_columns
from nodia_tools.export.lerobot import export_lerobot
from nodia_tools.export.output_folder import OutputError, require_new, whole_folder
from nodia_tools.export.robomimic import columns_in_words as robomimic_columns
from nodia_tools.export.robomimic import export_robomimic

FORMATS = ("lerobot", "robomimic")


def export(directory, out, to, without=(), quarantined=False):
    """Exports the dataset in `directory` to the folder `out`.

    @param to           one of FORMATS
    @param without      names of observations to leave out
    @param quarantined  also export failed episodes, listed in mask/quarantined; robomimic only
    @return             summary of the export, as a dict
    """
    directory, out = Path(directory), Path(out)
    if quarantined and to != "robomimic":
        raise InputError("--all (is for robomimic, which has masks; LeRobot has no masks for quarantined episodes)")
    if directory.is_dir() and out.resolve().is_relative_to(directory.resolve()):
        raise InputError(f"OUT = {out} (must lie outside of the dataset)")
    require_new("OUT", out)
    dataset = Dataset(directory, without)
    worst = WorstErrors()
    progress = _Progress(len(dataset.episodes))

    def told(episode, arrays):
        if episode.good:
            worst.see(arrays)
        progress.show(episode.number)

    with whole_folder(out) as folder:
        if to == "lerobot":
            n_episode, n_frame = export_lerobot(dataset, folder, told)
            page = card(dataset, worst, lerobot_columns(dataset), HUGGING_FACE_HEAD)
        else:
            n_episode, n_frame = export_robomimic(dataset, folder, told, quarantined)
            page = card(dataset, worst, robomimic_columns(dataset))
        (folder / "README.md").write_text(page, encoding="utf-8")
        (folder / "request.yaml").write_bytes(dataset.request_text)
    progress.end()
    n_quarantined = len(dataset.episodes) - len(dataset.good)
    return {
        "format": "nodia_export",
        "format_version": 1,
        "to": to,
        "directory": str(out),
        "episodes": n_episode,
        "frames": n_frame,
        "quarantined": n_quarantined,
        "causes": dataset.causes,
        "content_sha256": dataset.content_sha256,
    }


class _Progress:
    """A progress line, shown only on a terminal."""

    def __init__(self, n):
        self._n, self._shown = n, sys.stderr.isatty()

    def show(self, number):
        if self._shown:
            print(f"\rexport: episode {number} of {self._n}", end="", file=sys.stderr, flush=True)

    def end(self):
        if self._shown:
            print(file=sys.stderr)


def _printed(arguments):
    try:
        done = export(arguments.directory, arguments.out, arguments.to, arguments.without, arguments.all)
    except OutputError as error:
        print(f"nodia export: {error}", file=sys.stderr)
        return 1
    if arguments.json:
        print(json.dumps(done, indent=1))
    else:
        left = "" if arguments.all or not done["quarantined"] else f"; {done['quarantined']} quarantined left out"
        print(f"{done['directory']}: {done['episodes']} episodes, {done['frames']} frames{left}")
    return 0


def main():
    parser = ArgumentParser(
        prog="nodia export",
        description=__doc__,
        allow_abbrev=False,
        examples=[
            "nodia export out/lifts out/lifts_lerobot --to lerobot",
            "nodia export out/lifts out/lifts.hdf5 --to robomimic",
        ],
    )
    parser.add_argument("directory", metavar="DIR", help="complete dataset of nodia generate")
    parser.add_argument("out", metavar="OUT", help="new or empty directory")
    parser.add_argument("--to", required=True, choices=FORMATS, help="format of the export")
    parser.add_argument(
        "--without", metavar="NAME", action="append", default=[], help="observation to leave out; can be repeated"
    )
    parser.add_argument(
        "--all", action="store_true", help="robomimic only: include quarantined episodes, listed in mask/quarantined"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    arguments = parser.parse_args()
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is not signal.SIG_IGN:  # under nohup, the signal stays ignored
            signal.signal(number, signal.default_int_handler)
    return exit_code_of("nodia export", lambda: _printed(arguments))


if __name__ == "__main__":
    sys.exit(main())
