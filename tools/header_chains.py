#!/usr/bin/env python3
"""Chains of headers that one compilation can hold to compiling alone, each header in one of them, as few as there can be.

Usage: header_chains.py [HEADER ...]    a line a chain, its headers from the innermost to the outermost; without a header
                                        those that git knows, run in the root of the tree

Each header of a chain is included by the next, directly or by others. So what stands before a header in the compilation is
what it brings itself, and the first one of a chain stands alone. Includes under an #if count for nothing.
"""

import re
import subprocess
import sys
from pathlib import Path

DIRECTIVE = re.compile(r'^\s*#\s*(if|endif|include "([^"]+)")', re.M)


def includes(text):
    """What a header includes in quotes, whatever is defined."""
    depth, found = 0, []
    for word, name in DIRECTIVE.findall(text):
        if name:
            found += [name] if depth == 0 else []
        else:
            depth += 1 if word == "if" else -1
    return found


def reached(direct):
    """Of every header those of `direct` that it includes, directly or not. direct: {header: [included, ...]}"""
    found = {}
    for header in direct:
        below, waiting = set(), [header]
        while waiting:
            new = {name for name in direct[waiting.pop()] if name in direct} - below
            below |= new
            waiting += new
        found[header] = below
    return found


def chains(below):
    """A least number of chains in which every header has one place: a largest matching of each header with one below it,
    by augmenting paths."""
    above = {}

    def match(header, seen):
        for name in sorted(below[header] - seen):
            seen.add(name)
            if name not in above or match(above[name], seen):
                above[name] = header
                return True
        return False

    for header in sorted(below):
        match(header, set())
    inner = {header: name for name, header in above.items()}
    found = []
    for header in sorted(below):
        if header not in above:
            chain = [header]
            while chain[-1] in inner:
                chain.append(inner[chain[-1]])
            found.append(chain[::-1])
    return found


def main(headers):
    if not headers:
        known = subprocess.run(["git", "ls-files", "*.hpp"], capture_output=True, text=True, check=True)
        headers = known.stdout.split()
    direct = {header: includes(Path(header).read_text(encoding="utf-8")) for header in headers}
    for chain in chains(reached(direct)):
        print(*chain)


if __name__ == "__main__":
    main(sys.argv[1:])
