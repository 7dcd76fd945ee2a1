#!/usr/bin/env python3
"""Prints chains of headers: compiling each chain checks that all its headers are self-contained.

Usage: header_chains.py [HEADER ...]    one line per chain, from the innermost to the outermost header; without a
                                        header: all headers that git tracks, run in the root of the tree

Each header of a chain is included by the next one, directly or indirectly. In a compilation of the chain, only
headers that a header includes itself precede it. Therefore a header that is not self-contained fails. Every header
is in one chain, and the number of chains is minimal. Includes in an #if do not count.
"""

import re
import subprocess
import sys
from pathlib import Path

DIRECTIVE = re.compile(r'^\s*#\s*(if|endif|include "([^"]+)")', re.M)


def includes(text):
    """Names in quotes that a header includes outside of every #if."""
    depth, found = 0, []
    for word, name in DIRECTIVE.findall(text):
        if name:
            found += [name] if depth == 0 else []
        else:
            depth += 1 if word == "if" else -1
    return found


def reached(direct):
    """For every header the headers of `direct` that it includes, directly or indirectly.

    direct: {header: [included, ...]}
    """
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
    """Smallest number of chains that contain every header once: a maximum matching of each header with one that it
    includes, by augmenting paths."""
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
