"""The command of tools/campaign.sh."""

import argparse
import json
import sys
from pathlib import Path

SETTINGS, RESULTS = "campaign.json", "results.jsonl"


class BadInput(Exception):
    pass


class _Parser(argparse.ArgumentParser):
    def error(self, message):
        raise BadInput(f"{message} (see tools/campaign.sh --help)")


def _arguments(words):
    parser = _Parser(add_help=False, allow_abbrev=False)
    parser.add_argument("--scenes", type=int)
    parser.add_argument("--seed", type=int)
    parser.add_argument("--variants", type=int)
    parser.add_argument("--family")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--resume", type=Path)
    return parser.parse_args(words)


def _settings(given):
    """The folder of the campaign and its settings, of the command line or of the folder that is resumed."""
    if given.resume:
        if any(value is not None for value in (given.scenes, given.seed, given.variants, given.family, given.out)):
            raise BadInput("--resume takes no other option: the folder has the settings of the campaign")
        path = given.resume / SETTINGS
        if not path.is_file():
            raise BadInput(f"--resume = {given.resume} (must be the folder of a campaign: it has no {SETTINGS})")
        try:
            settings = json.loads(path.read_text(encoding="utf-8"))
            return given.resume, {"what": settings["what"], "count": int(settings["count"]), "seed": int(settings["seed"])}
        except (ValueError, TypeError, KeyError):
            raise BadInput(f"{path}: damaged (must have what, count and seed of the campaign)") from None
    if given.scenes is not None and given.variants is not None:
        raise BadInput("--scenes and --variants exclude each other")
    if given.variants is not None and given.family is not None:
        raise BadInput("--variants and --family exclude each other")
    what = "variants" if given.variants is not None else "scenes"
    count = next((value for value in (given.scenes, given.variants) if value is not None), 100)
    settings = {"what": what, "count": count, "seed": 1 if given.seed is None else given.seed}
    if count < 1:
        raise BadInput(f"--{what} = {count} (must be at least 1)")
    if given.family is not None:
        from campaign.families import FAMILIES

        if given.family not in FAMILIES:
            raise BadInput(f"--family = {given.family} (must be one of {', '.join(FAMILIES)})")
        settings["what"] = given.family
    if settings["seed"] < 0:
        raise BadInput(f"--seed = {given.seed} (must be at least 0)")
    folder = given.out or Path("out/campaign")
    if folder.exists():
        raise BadInput(f"--out = {folder} exists (must be a new folder; --resume {folder} continues the campaign in it)")
    try:
        folder.mkdir(parents=True)
    except OSError as error:
        raise BadInput(f"--out = {folder} ({error.strerror})") from None
    (folder / SETTINGS).write_text(json.dumps(settings) + "\n", encoding="utf-8")
    return folder, settings


def _done(folder):
    """Lines of scenes that an earlier call has finished; a line that a kill has cut off is dropped."""
    path = folder / RESULTS
    if not path.exists():
        return []
    whole = [line for line in path.read_text(encoding="utf-8").splitlines(keepends=True) if line.endswith("\n")]
    path.write_text("".join(whole), encoding="utf-8")
    return [json.loads(line) for line in whole]


def main(words):
    try:
        folder, settings = _settings(_arguments(words))
    except BadInput as error:
        print(f"campaign: {error}", file=sys.stderr)
        return 2
    from campaign.campaign import run_campaign  # its modules take seconds to load

    return run_campaign(folder, settings, _done(folder), folder / RESULTS)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
