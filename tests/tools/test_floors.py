"""Includes go down only: tools, scenarios, host, fem, kernels; what a solver takes and gives is said without a word of
one solver's loop (docs/architecture.md)."""

import re
from pathlib import Path

import pytest
from nodia_command import SOURCE
from source_tree import CPP, Tree

FLOORS = ("kernels", "fem", "host", "scenarios", "tools", "python")
MADE_BY_THE_BUILD = {Path("nodia_commit.hpp")}
INCLUDE = re.compile(r'^#include "([^"]+)"', re.M)


def includes(tree):
    """(path, included path) of all files but tests."""
    for path in tree.paths:
        if path.suffix in CPP and path.parts[0] in FLOORS:
            for name in INCLUDE.findall(tree.text(path)):
                yield path, Path(name)


# Rooms of scenarios/, and what each may include of the floors below.
ROOMS = ("format", "checks", "task", "build", "dataset")
PHYSICS = ("fem", "host")


def out_of_its_room(tree):
    """Includes in scenarios/ of a later room, and in the room of formats of anything that knows physics."""
    return [
        f"{path}: {name}"
        for path, name in includes(tree)
        if path.parts[0] == "scenarios"
        and (
            (name.parts[0] == "scenarios" and ROOMS.index(name.parts[1]) > ROOMS.index(path.parts[1]))
            or (path.parts[1] == "format" and name.parts[0] in PHYSICS)
        )
    ]


def going_up(tree):
    return [
        f"{path}: {name}"
        for path, name in includes(tree)
        if name not in MADE_BY_THE_BUILD
        and (name.parts[0] not in FLOORS or FLOORS.index(name.parts[0]) > FLOORS.index(path.parts[0]))
    ]


def reached(tree, first):
    """Every file that `first` includes, directly or not."""
    of = {}
    for path, name in includes(tree):
        of.setdefault(path, []).append(name)
    found, waiting = set(), [first]
    while waiting:
        new = set(of.get(waiting.pop(), ())) - found
        found |= new
        waiting += new
    return found


def interfaces_with_a_loop(tree):
    """Headers of the solver layer itself, and of the simulation, that reach into kernels/vfpi."""
    folders = (Path("host/solvers"), Path("host/simulation"))
    headers = [path for path in tree.paths if path.suffix == ".hpp" and path.parent in folders]
    assert headers
    loop = Path("kernels/vfpi")
    return [str(path) for path in headers if any(loop in name.parents for name in reached(tree, path))]


def test_includes_go_down_only():
    tree = Tree(SOURCE)
    assert len(list(includes(tree))) > 500
    assert not going_up(tree)


def test_rooms_of_scenarios_include_earlier_rooms_only():
    assert not out_of_its_room(Tree(SOURCE))


@pytest.mark.parametrize("name", ["scenarios/checks/a.hpp", "host/a.hpp"])
def test_a_format_that_knows_physics_is_found(tmp_path, name):
    path = tmp_path / "scenarios/format/a.hpp"
    path.parent.mkdir(parents=True)
    path.write_text(f'#include "{name}"\n')
    assert out_of_its_room(Tree(tmp_path)) == [f"scenarios/format/a.hpp: {name}"]


@pytest.mark.parametrize("name", ["host/a.hpp", "a.hpp"])
def test_an_include_that_goes_up_or_nowhere_is_found(tmp_path, name):
    for path, text in (("fem/a.hpp", f'#include "{name}"\n'), ("host/a.hpp", '#include "fem/a.hpp"\n')):
        (tmp_path / path).parent.mkdir()
        (tmp_path / path).write_text(text)
    assert going_up(Tree(tmp_path)) == [f"fem/a.hpp: {name}"]


def test_no_header_of_the_solver_interface_includes_the_loop():
    assert not interfaces_with_a_loop(Tree(SOURCE))


def test_an_interface_that_reaches_the_loop_is_found(tmp_path):
    for path, text in (
        ("host/solvers/interface.hpp", '#include "host/solvers/cond/options.hpp"\n'),
        ("host/solvers/cond/options.hpp", '#include "kernels/vfpi/options.hpp"\n'),
        ("host/solvers/status.hpp", '#include "kernels/core/status.hpp"\n'),
    ):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    assert interfaces_with_a_loop(Tree(tmp_path)) == ["host/solvers/interface.hpp"]
