"""Command line and files of the plot modules: a CSV table and PNG pictures."""

import csv
from pathlib import Path

from nodia_tools.command_line import ArgumentParser, InputError, exit_code_of


def read_csv(path, required, made_by):
    """Column names and rows of a table, in the order of the file. A row is a dictionary of strings.

    @param required  columns that the table must have
    @param made_by   command that writes such tables
    @throws InputError  if the file cannot be read, lacks a column, or has no rows
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
    """Converts a cell to float. An empty cell is NaN.

    @throws InputError  if the cell is not a number, or the row is too short
    """
    try:
        return float(row[name]) if row[name] != "" else float("nan")
    except (TypeError, ValueError):
        raise InputError(f"{path}: {name} = {row[name]} (must be a number)") from None


def picture_path(name):
    """Path of the PNG file to write.

    @throws InputError  if the name does not end in .png, or its directory does not exist
    """
    path = Path(name)
    if path.suffix.lower() != ".png" or not path.parent.is_dir():
        raise InputError(f"{path} (must end in .png and lie in a directory that exists)")
    return path


def plot_command(program, description, made_by, pictures, plot):
    """Main function of a plot module, which prints the paths of its pictures. Returns the exit code.

    @param made_by   command that writes the table
    @param pictures  {name of an argument: its help}
    @param plot      function (path of the table, *paths of the pictures)
    """
    parser = ArgumentParser(prog=program, description=description)
    parser.add_argument("csv", metavar="CSV", help=f"table of {made_by}")
    for name, text in pictures.items():
        parser.add_argument(name, metavar=name.upper(), help=text)
    arguments = vars(parser.parse_args())

    def run():
        paths = [picture_path(arguments[name]) for name in pictures]
        plot(arguments["csv"], *paths)
        print(*paths)
        return 0

    return exit_code_of(program, run)
