"""Pipes, devices and folders where a file should be: every reader refuses at once, with the reason."""

import os

import pytest
from nodia_command import expect_bad_input, needs_nodia, run, scenario

pytestmark = needs_nodia
__all__ = ["scenario"]


def refused(words, *parts):
    expect_bad_input(run(*words, timeout=20), *parts)


@pytest.fixture
def pipe(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    return path


def test_pipes_are_refused(scenario, pipe, tmp_path):
    for name in ("pipe.yaml", "pipe.msh", "pipe.obj", "pipe.csv"):
        os.mkfifo(tmp_path / name)
    out = ["--out", tmp_path / "r"]
    refused(["run", tmp_path / "pipe.yaml", *out], "is not a regular file")
    refused(["solve", pipe], "is not a regular file")
    refused(["run", scenario, "--set", f"robots={{r: {{urdf: {pipe}}}}}", *out], "is not a regular file")
    mesh = f"bodies.box.mesh={{file: {tmp_path}/pipe.msh}}"
    refused(["run", scenario, "--set", mesh, *out], "is not a regular file")
    body = f"rigid_bodies={{m: {{shape: mesh, file: {tmp_path}/pipe.obj, mass_kg: 1}}}}"
    refused(["run", scenario, "--set", body, *out], "is not a regular file")
    assert not (tmp_path / "r").exists()


def test_devices_and_folders_are_refused_with_the_reason(scenario, tmp_path):
    for path, reason in (("/dev/zero", "is not a regular file"), (tmp_path, "is a folder")):
        refused(["run", scenario, "--set", f"robots={{r: {{urdf: {path}}}}}"], reason)
    refused(["solve", "/dev/zero"], "is not a regular file")


@pytest.mark.parametrize("name", ["trajectory.vtkhdf", "config.yaml"])
def test_render_refuses_pipes_in_a_run(scenario, tmp_path, name):
    assert run("run", scenario, "--steps", 2, "--out", tmp_path / "r").returncode == 0
    (tmp_path / "r" / name).unlink()
    os.mkfifo(tmp_path / "r" / name)
    refused(["render", tmp_path / "r"], name, "is not a regular file")
