"""Bad usage and bad input: one clear line on stderr, exit code 2, nothing written."""

import json
import os
import re
from pathlib import Path

import pytest
from nodia_command import expect_bad_input, needs_nodia, run, scenario

pytestmark = needs_nodia
__all__ = ["scenario"]
ROOT = Path(__file__).parents[2]


def test_no_verb():
    expect_bad_input(run(), "verb is missing", "--help")


@pytest.mark.parametrize(
    ("word", "nearest"),
    [("rum", "run"), ("infos", "info"), ("redner", "render"), ("vieuw", "view")],
)
def test_unknown_verb_names_the_nearest(word, nearest):
    expect_bad_input(run(word), f"unknown verb {word}", f"did you mean {nearest}?")


@pytest.mark.parametrize(
    "arguments",
    [["--nonsense"], ["run"], ["run", "--nonsense"], ["info", "extra"], ["view"], ["render"]],
)
def test_wrong_arguments(arguments):
    expect_bad_input(run(*arguments))


@pytest.mark.parametrize("verb", [[], ["run"], ["info"]])
def test_help(verb):
    done = run(*verb, "--help")
    assert done.returncode == 0
    assert "Usage" in done.stdout and done.stderr == ""


def test_version():
    done = run("--version")
    assert done.returncode == 0
    assert done.stdout.startswith("nodia 0.") and done.stdout.count("\n") == 1


def test_scenario_missing(tmp_path):
    expect_bad_input(run("run", tmp_path / "none.yaml"), "none.yaml")


def test_scenario_is_a_folder(tmp_path):
    expect_bad_input(run("run", tmp_path), str(tmp_path))


@pytest.mark.parametrize(
    "content",
    [b"", b"\n\n", b"\x00\x01\x02\xff" * 100, b"a: [", b"name: x\nbodys: {}\n", b"- 1\n- 2\n"],
)
def test_scenario_is_none(tmp_path, content):
    path = tmp_path / "bad.yaml"
    path.write_bytes(content)
    expect_bad_input(run("run", path, cwd=tmp_path), "bad.yaml")
    assert os.listdir(tmp_path) == ["bad.yaml"]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--set", "bodies.box.youngs_modulus_Pa=-1"], ["youngs_modulus_Pa"]),
        (["--set", "bodies.box.poissons_ratio=0.5"], ["poissons_ratio"]),
        (["--set", "bodies.box.density_kg_m3=nan"], ["density_kg_m3"]),
        (["--set", "time.step_s=0"], ["time.step_s"]),
        (["--set", "time.stepp_s=0.01"], ["stepp_s", "step_s"]),
        (["--set", "nonsense"], ["nonsense"]),
        (["--set", "=1"], []),
        (["--solver", "cund"], ["cund", "cond"]),
        (["--solver", ""], []),
        (["--stop", "never"], ["never"]),
        (["--tolerance", "1.5"], ["tolerance"]),
        (["--tolerance", "small"], ["small"]),
        (["--max-iterations", "0"], ["max_iterations"]),
        (["--w", "big"], ["big"]),
        (["--chebyshev", "perhaps"], ["--chebyshev = perhaps", "on or off"]),
        (["--precision", "half"], ["half"]),
        (["--threads", "-1"], []),
        (["--errors", "none"], ["--errors = none"]),
        (["--backend", "cuda"], ["--backend = cuda", "--backend cpu"]),
        (["--backend", "tpu"], ["--backend = tpu"]),
        (["--loop", "graphs"], ["--loop = graphs", "auto, graph, launches or checked"]),
        (["--loop", "launches"], ["--loop = launches", "newton runs on the GPU only with --backend cuda"]),
        (["--backend", "cpu", "--loop", "checked"], ["--loop = checked", "--backend cpu"]),
        (["--product", "cusparse"], ["--product (unknown option"]),
        (["--device", "first"], ["--device"]),
        (["--device", "-1"], ["--device = -1"]),
        (["--device", "99"], ["--device = 99", "CUDA"]),
        (["--steps", "0"], ["--steps"]),
        (["--steps", "many"], ["--steps"]),
        (["--steps", "99999999999"], ["--steps"]),
        (["--seed", "-1"], ["--seed"]),
        (["--seed", "x"], ["--seed"]),
        (["--seed", "1", "--episode", "-1"], ["--episode"]),
        (["--seed", "1", "--episode", "18446744073709551616"], ["--episode = 18446744073709551616", "whole number"]),
        (["--episode", "3"], ["episode = 3", "beside a seed; give --seed"]),
        (["--seed", "1", "--set", "attempt=2147483648"], ["attempt = 2147483648"]),
        (["another.yaml"], ["another.yaml"]),
        (["--set"], ["--set"]),
        (["--set", "time.step_s=1e-300"], []),
        (["--set", "time.duration_s=1e300"], ["time.duration_s"]),
        (["--set", "checks.no_penetration.bound_m=a\nb"], []),
    ],
)
def test_bad_values(scenario, tmp_path, options, words):
    expect_bad_input(run("run", scenario, *options, cwd=tmp_path), *words)
    assert os.listdir(tmp_path) == ["sliding_box.yaml"]


def enums_of(node):
    """Every list of words in a JSON schema."""
    if isinstance(node, dict):
        if "enum" in node:
            yield node["enum"]
        node = list(node.values())
    if isinstance(node, list):
        for inner in node:
            yield from enums_of(inner)


@pytest.mark.parametrize("verb", ["run", "solve"])
def test_help_names_the_words_of_every_choice_and_no_other(verb, scenario, tmp_path):
    shown = re.findall(r"^ +--([\w-]+) +(\w[\w-]*(?:\|\w[\w-]*)+)", run(verb, "--help").stdout, re.M)
    words = {flag: values.split("|") for flag, values in shown}
    choices = {"w", "acceleration", "precision", "chebyshev", "errors"}
    assert choices <= set(words)
    schema = json.loads((ROOT / "scenarios/schema/scenario.schema.json").read_text())
    assert words["w"] in list(enums_of(schema))
    step = ["--solver", "cond"]
    step += ["--steps", 1, "--out", tmp_path / "out"] if verb == "run" else ["--step", 1]
    for flag in sorted(choices):
        for word in words[flag]:
            done = run(verb, scenario, f"--{flag}", word, *step)
            assert "must be" not in done.stderr, f"--{flag} {word}: {done.stderr}"
        expect_bad_input(run(verb, scenario, f"--{flag}", "wrong", *step), "wrong", words[flag][0])


def test_run_directory_is_a_file(scenario, tmp_path):
    (tmp_path / "file").write_text("x")
    expect_bad_input(run("run", scenario, "--out", tmp_path / "file"), "file", "not a folder")
    expect_bad_input(run("run", scenario, "--out", tmp_path / "file/below"), "not a folder")
    assert (tmp_path / "file").read_text() == "x"


@pytest.mark.parametrize("verb", ["view", "render"])
def test_view_and_render_check_their_directory(verb, tmp_path):
    (tmp_path / "file").write_text("x")
    expect_bad_input(run(verb, tmp_path / "none"), "none", "no such run directory")
    expect_bad_input(run(verb, tmp_path / "file"), "file", "must be a run directory")


@pytest.mark.parametrize("verb", ["view", "render"])
def test_missing_python_is_said_in_one_line(verb, tmp_path):
    done = run(verb, tmp_path, environment={"NODIA_PYTHON": str(tmp_path / "no_python")})
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "no_python" in done.stderr and "NODIA_PYTHON" in done.stderr


@pytest.mark.parametrize("verb", ["view", "render"])
def test_python_gets_every_argument_and_its_exit_code_comes_back(verb, tmp_path):
    script = tmp_path / "python"
    script.write_text('#!/bin/sh\necho "$@"\necho "$PYTHONPATH" >&2\nexit 7\n')
    script.chmod(0o755)
    done = run(
        verb,
        tmp_path,
        "--fps",
        "3",
        "-x",
        "a b",
        environment={"NODIA_PYTHON": str(script), "PYTHONPATH": "/mine"},
    )
    assert done.returncode == 7
    assert done.stdout == f"-P -m nodia_tools nodia_tools.{verb} {tmp_path} --fps 3 -x a b\n"
    assert done.stderr.endswith("/python:/mine\n")


@pytest.mark.parametrize("verb", ["view", "render"])
def test_help_of_view_and_render_comes_from_python(verb):
    done = run(verb, "--help")
    assert done.returncode == 0
    assert "usage" in done.stdout.lower()
