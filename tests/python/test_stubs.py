"""What type checkers and people read of the package: stubs, docstrings, units."""

import ast
import dataclasses
import inspect

import pytest
from built_package import PACKAGE, SOURCE

import nodia
from nodia import _core


def test_the_stub_names_all_that_the_module_has():
    stub = ast.parse((PACKAGE / "nodia/_core.pyi").read_text())
    told = {
        node.name: {member.name for member in node.body if isinstance(member, ast.FunctionDef)}
        if isinstance(node, ast.ClassDef)
        else set()
        for node in stub.body
        if isinstance(node, ast.ClassDef | ast.FunctionDef)
    }
    for node in stub.body:
        if isinstance(node, ast.ImportFrom):
            told |= {alias.asname or alias.name: set() for alias in node.names}
    for name, value in vars(_core).items():
        if name.startswith("_"):
            continue
        assert name in told, name
        if inspect.isclass(value) and not issubclass(value, Exception):
            own = {member for member in vars(value) if not member.startswith("_")}
            assert own <= told[name], (name, own - told[name])
    assert (PACKAGE / "nodia/py.typed").exists()


@pytest.mark.parametrize("name", [n for n in nodia.__all__ if not n.startswith("_")])
def test_all_that_is_public_says_what_it_is(name):
    value = getattr(nodia, name)
    assert value.__doc__, name
    if inspect.isclass(value) and value.__module__.startswith("nodia."):
        for member, function in vars(value).items():
            if not member.startswith("_") and (inspect.isfunction(function) or isinstance(function, property)):
                assert (function.__doc__ or "").strip() or member == "num_envs", f"{name}.{member}"


@pytest.mark.parametrize("reader", ["nodes", "poses", "q", "velocities", "link_poses", "contact_force", "sensor"])
def test_readers_say_shapes_and_units(reader):
    said = getattr(nodia.Simulation, reader).__doc__
    assert "(" in said and "[" in said, said


def test_contacts_say_shapes_and_units_and_a_page_lists_them():
    page = (SOURCE / "docs/outputs.md").read_text()
    fields = {field.name for field in dataclasses.fields(nodia.Contacts)}
    assert fields == {"names", *_core.contact_columns()}
    for name, text in _core.contact_columns().items():
        assert text.startswith("(n") and f"{name}: {text}" in nodia.Contacts.__doc__
        assert f"`{name}`" in page, name
