"""Every scenarios/*/*.yaml, and the config.yaml that its run leaves, by the project's JSON Schema, and as other
programs read them."""

import json
import re

import pytest
import yaml
from jsonschema import Draft202012Validator
from nodia_command import SOURCE, needs_nodia, run, scenario

__all__ = ["scenario"]

FILES = sorted(SOURCE.glob("scenarios/*/*.yaml"))
# tests/python/test_packaged_robots.py runs the others, whose robots are in packages.
RUN_HERE = [file for file in FILES if "package://" not in file.read_text()]
SCHEMA = Draft202012Validator(
    json.loads((SOURCE / "scenarios/schema/scenario.schema.json").read_text())
)

# Texts that a careless writer leaves without quotes: readers of YAML take them for something else.
TREACHEROUS = ["0", "1e5", "0x1F", "2026-11-21", "on", "No", "null", "~", "1_000", "y", "12:30:00"]


class Yaml12Loader(yaml.SafeLoader):
    """PyYAML with the numbers and truth values of YAML 1.2, which scenario files are written in."""

    yaml_implicit_resolvers = {}


for _tag, _pattern, _first in (
    ("bool", r"true|True|TRUE|false|False|FALSE", "tTfF"),
    ("int", r"[-+]?[0-9]+", "-+0123456789"),
    ("float", r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", "-+.0123456789"),
    ("null", r"~|null|Null|NULL|", ["~", "n", "N", ""]),
):
    Yaml12Loader.add_implicit_resolver(
        f"tag:yaml.org,2002:{_tag}", re.compile(f"^(?:{_pattern})$"), list(_first)
    )


Yaml12Loader.add_constructor(
    "tag:yaml.org,2002:float", lambda loader, node: float(loader.construct_scalar(node))
)


def read_as_yaml_1_2(text):
    return yaml.load(text, Loader=Yaml12Loader)


def expect_valid(document):
    errors = [f"{error.json_path}: {error.message}" for error in SCHEMA.iter_errors(document)]
    assert errors == []


def by_name(files):
    return pytest.mark.parametrize(
        "file", files, ids=lambda file: str(file.relative_to(SOURCE / "scenarios"))
    )


def config_of(directory, *arguments):
    """The config.yaml of a run of few steps."""
    done = run("run", *arguments, "--steps", 2, "--threads", 1, "--out", directory)
    assert done.returncode == 0, done.stderr
    return (directory / "config.yaml").read_text(encoding="utf-8")


def test_the_schema_is_one():
    Draft202012Validator.check_schema(SCHEMA.schema)
    assert len(FILES) >= 10


@by_name(FILES)
def test_the_file_meets_the_schema(file):
    text = file.read_text(encoding="utf-8")
    expect_valid(read_as_yaml_1_2(text))
    assert text.startswith("# yaml-language-server: $schema=../schema/scenario.schema.json\n")  # for editors


@needs_nodia
@by_name(RUN_HERE)
def test_its_config_meets_the_schema_in_every_reader_and_runs_to_the_same(file, tmp_path):
    text = config_of(tmp_path / "first", file)
    document = yaml.safe_load(text)
    expect_valid(document)
    assert document == read_as_yaml_1_2(text)
    assert config_of(tmp_path / "second", tmp_path / "first/config.yaml") == text


@needs_nodia
def test_the_config_of_a_batch_meets_the_schema(scenario, tmp_path):
    batch = [scenario, "--set", "randomize={bodies.box.friction: [1e-9, 0.5]}"]
    batch += ["--envs", 3, "--seed", 2, "--record-envs", "1"]
    document = yaml.safe_load(config_of(tmp_path / "out", *batch))
    expect_valid(document)
    assert document["output"]["record_envs"] == "1" and document["environments"] == 3
    assert document["randomize"]["bodies.box.friction"] == [1e-9, 0.5]
    expect_valid(yaml.safe_load((tmp_path / "out/config_env0001.yaml").read_text()))


@needs_nodia
@pytest.mark.parametrize("word", TREACHEROUS)
def test_texts_stay_texts(scenario, tmp_path, word):
    text = config_of(tmp_path / "out", scenario, "--set", f'name="{word}"')
    expect_valid(yaml.safe_load(text))
    assert yaml.safe_load(text)["name"] == word == read_as_yaml_1_2(text)["name"]


@needs_nodia
def test_names_of_objects_stay_names(tmp_path):
    path = tmp_path / "named.yaml"
    path.write_text(
        "name: named\n"
        "time: {step_s: 0.01, duration_s: 0.02}\n"
        "rigid_bodies:\n"
        '  "on": {shape: box, size_m: [0.1, 0.1, 0.1], mass_kg: 1, position_m: [0, 0, 0.05]}\n'
        "obstacles:\n"
        "  y: {shape: half_space}\n"
        "checks:\n"
        "  \"no\": {check: contact_force, \"on\": \"on\", by: y, part: normal, from_s: 0,"
        " to_s: 0.02, value_N: 0, tolerance_N: 100}\n"
    )
    document = yaml.safe_load(config_of(tmp_path / "out", path))
    expect_valid(document)
    assert set(document["rigid_bodies"]) == {"on"} and set(document["obstacles"]) == {"y"}
    assert document["checks"]["no"]["on"] == "on" and document["checks"]["no"]["by"] == "y"
