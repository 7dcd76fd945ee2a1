"""Lines that a program must print, with placeholders: <number> for any number, <folder> for the working directory."""

import re

NUMBER = r"[-+]?\d+(\.\d+)?(e[-+]\d+)?"


def matches(expected, line):
    """Whether a line is the expected one, in which <number> stands for any number."""
    pattern = NUMBER.join(re.escape(part) for part in expected.split("<number>"))
    return re.fullmatch(pattern, line) is not None


def with_placeholders(text, folder, expected):
    """Lines of a text; a line that an expected line matches is replaced by the expected line."""
    assert text == "" or text.endswith("\n")
    lines = [line.rstrip() for line in text.replace(str(folder), "<folder>").splitlines()]
    return [next((other for other in expected if matches(other, line)), line) for line in lines]
