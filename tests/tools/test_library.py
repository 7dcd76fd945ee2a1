"""nodia as a library of another project: installed and found, or a folder of it (examples/library)."""

import subprocess

import pytest
from nodia_command import BINARY, SOURCE, needs_nodia

pytestmark = needs_nodia

BUILD = BINARY.parents[1]
EXAMPLE = SOURCE / "examples/library"
needs_build_folder = pytest.mark.skipif(
    not (BUILD / "cmake_install.cmake").exists(), reason=f"{BUILD} is no build folder"
)


def done(*words):
    result = subprocess.run([*map(str, words)], capture_output=True, text=True)
    assert result.returncode == 0, f"{' '.join(map(str, words))}:\n{result.stdout}{result.stderr}"
    return result.stdout


def forces(folder, *definitions):
    """Of the floor on the ball, step by step [N]: the example built with these definitions of CMake and run."""
    done("cmake", "-S", EXAMPLE, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Debug", *definitions)
    done("cmake", "--build", folder, "--target", "ball_on_floor")
    lines = done(folder / "ball_on_floor").splitlines()
    return [float(line.split()[2]) for line in lines]


def expect_a_ball_that_falls_and_lies(force):
    assert len(force) == 20
    assert force[0] == 0, "it falls from 2 cm above the floor"
    assert max(force) > 20, "the floor stops it within a step"
    assert force[-1] == pytest.approx(9.81, rel=1e-3), "its weight"


@needs_build_folder
def test_an_installed_nodia_is_found_and_linked(tmp_path):
    prefix = tmp_path / "prefix"
    done("cmake", "--install", BUILD, "--prefix", prefix)
    headers = {path.relative_to(prefix / "include/nodia") for path in prefix.rglob("*.hpp")}
    folders = ("kernels", "fem", "host", "scenarios/loader")
    expected = {path.relative_to(SOURCE) for folder in folders for path in (SOURCE / folder).rglob("*.hpp")}
    assert headers == expected
    expect_a_ball_that_falls_and_lies(forces(tmp_path / "build", f"-DCMAKE_PREFIX_PATH={prefix}"))


@pytest.mark.slow
def test_nodia_is_a_folder_of_another_project(tmp_path):
    expect_a_ball_that_falls_and_lies(
        forces(tmp_path / "build", f"-DNODIA_SOURCE={SOURCE}", "-DNODIA_CUDA=OFF")
    )
