"""Includes go down only: tools, scenarios, host, fem, kernels (docs/architecture.md)."""

import re
from pathlib import Path

import pytest
from nodia_command import SOURCE
from source_tree import CPP, Tree

FLOORS = ("kernels", "fem", "host", "scenarios", "tools")
MADE_BY_THE_BUILD = {Path("nodia_commit.hpp")}
INCLUDE = re.compile(r'^#include "([^"]+)"', re.M)


def includes(tree):
    """(path, included path) of all files but tests."""
    for path in tree.paths:
        if path.suffix in CPP and path.parts[0] in FLOORS:
            for name in INCLUDE.findall(tree.text(path)):
                yield path, Path(name)


def going_up(tree):
    return [
        f"{path}: {name}"
        for path, name in includes(tree)
        if name not in MADE_BY_THE_BUILD
        and (name.parts[0] not in FLOORS or FLOORS.index(name.parts[0]) > FLOORS.index(path.parts[0]))
    ]


def test_includes_go_down_only():
    tree = Tree(SOURCE)
    assert len(list(includes(tree))) > 500
    assert not going_up(tree)


@pytest.mark.parametrize("name", ["host/a.hpp", "a.hpp"])
def test_an_include_that_goes_up_or_nowhere_is_found(tmp_path, name):
    for path, text in (("fem/a.hpp", f'#include "{name}"\n'), ("host/a.hpp", '#include "fem/a.hpp"\n')):
        (tmp_path / path).parent.mkdir()
        (tmp_path / path).write_text(text)
    assert going_up(Tree(tmp_path)) == [f"fem/a.hpp: {name}"]
