"""The files of the modules that draw a study's table: a CSV table, a PNG picture."""

import csv
from pathlib import Path

from nodia_tools.command_line import InputError


def read_csv(path, required, made_by):
    """Column names and rows as dictionaries of words, in the order of the file.

    @param required  columns that it must have
    @param made_by   the command whose table it is
    @throws InputError  for what cannot be read, a missing column, no rows
    """
    try:
        with open(path, newline="", encoding="utf-8") as file:
            reader = csv.DictReader(file)
            rows = list(reader)
            names = reader.fieldnames or []
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"{path}: cannot be read as CSV ({error})") from None
    missing = [name for name in required if name not in names]
    if missing:
        raise InputError(f"{path}: column {missing[0]} is missing (must be a table of {made_by})")
    if not rows:
        raise InputError(f"{path}: holds no row")
    return names, rows


def number(path, row, name):
    """The cell as a float; an empty one is NaN. InputError for other words, and where the row ends before."""
    try:
        return float(row[name]) if row[name] != "" else float("nan")
    except (TypeError, ValueError):
        raise InputError(f"{path}: {name} = {row[name]} (must be a number)") from None


def picture_path(name):
    """The path of a picture to write. InputError where it is none."""
    path = Path(name)
    if path.suffix.lower() != ".png" or not path.parent.is_dir():
        raise InputError(f"{path} (must end in .png and lie in a directory that exists)")
    return path
