#!/usr/bin/env python3
"""Prints a shell script that writes the files and runs the commands of pages, in their order.

Usage: tools/page_script.py PAGE.md...

A file is a fenced block behind a line that has the file's name and a colon alone: `scene.yaml`:
Commands are the lines of fenced blocks of the language sh.
"""

import re
import sys
from pathlib import Path

BLOCK = re.compile(r"(?:^`([\w.-]+)`:\n\n)?^```(\w*)\n(.*?)^```$", re.M | re.S)
END = "END_OF_FILE_OF_PAGE"


def script_of(text):
    """Shell script of a page. @param text  Markdown"""
    parts = []
    for name, language, block in BLOCK.findall(text):
        if name:
            parts.append(f"cat > {name} <<'{END}'\n{block}{END}\n")
        elif language == "sh":
            parts.append(block)
    return "".join(parts)


def main(pages):
    if not pages:
        sys.exit(__doc__)
    print("set -euxo pipefail")
    for page in pages:
        print(script_of(Path(page).read_text(encoding="utf-8")), end="")


if __name__ == "__main__":
    main(sys.argv[1:])
