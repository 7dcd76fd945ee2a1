"""nodia as a library of another project, installed and found (examples/library, docs/library.md)."""

import subprocess

import pytest
from library_example import done, expect_a_ball_that_falls_and_lies, forces
from nodia_command import BINARY, SLIDING_BOX, SOURCE, needs_nodia
from shown_commands import code_blocks

pytestmark = needs_nodia

BUILD = BINARY.parents[1]


@pytest.fixture(scope="module")
def prefix(tmp_path_factory):
    """Where nodia is installed."""
    path = tmp_path_factory.mktemp("prefix")
    done("cmake", "--install", BUILD, "--prefix", path)
    return path


def test_an_installed_nodia_is_found_and_linked(prefix, tmp_path):
    headers = {path.relative_to(prefix / "include/nodia") for path in prefix.rglob("*.hpp")}
    rooms = ("format", "checks", "task", "build", "dataset")
    folders = ("kernels", "fem", "host", *(f"scenarios/{room}" for room in rooms))
    expected = {path.relative_to(SOURCE) for folder in folders for path in (SOURCE / folder).rglob("*.hpp")}
    assert headers == expected
    expect_a_ball_that_falls_and_lies(forces(tmp_path / "build", f"-DCMAKE_PREFIX_PATH={prefix}"))


def test_the_page_shows_a_project_that_steps_a_scenario(prefix, tmp_path):
    for name, language in (("CMakeLists.txt", "cmake"), ("sliding.cpp", "cpp")):
        (tmp_path / name).write_text(code_blocks("docs/library.md", language)[0])
    done("cmake", "-S", tmp_path, "-B", tmp_path / "build", "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}")
    done("cmake", "--build", tmp_path / "build")
    scenario = tmp_path / "box.yaml"
    scenario.write_text(SLIDING_BOX)
    lines = [line.split() for line in done(tmp_path / "build/sliding", scenario).splitlines()]
    assert [float(line[0]) for line in lines] == pytest.approx([0.005 * k for k in range(1, 21)])
    assert lines[0][2] == "0" and int(lines[-1][2]) == 9, "it falls, then its lower nodes touch"
    assert all(0 <= float(line[4]) < 1e-3 for line in lines)
    scenario.write_text(SLIDING_BOX.replace("friction: 0.4", "friction: -1"))
    bad = subprocess.run([tmp_path / "build/sliding", scenario], capture_output=True, text=True)
    assert bad.returncode == 2 and bad.stdout == ""
    assert bad.stderr.count("\n") == 1 and "box.yaml:10: bodies.box.friction = -1 (must be" in bad.stderr
    alone = subprocess.run([tmp_path / "build/sliding"], capture_output=True, text=True)
    assert (alone.returncode, alone.stderr) == (2, "usage: sliding SCENARIO.yaml\n")


COMMANDS = """\
#include "host/simulation/checkpoint.hpp"
#include "host/simulation/simulation.hpp"

void commands(nodia::Simulation& simulation, int env, int other, double reach_s, nodia::Pose pose, nodia::Scene scene) {
BLOCK}
int main() {}
"""


def test_the_commands_that_the_page_shows_are_there(prefix, tmp_path):
    cmake, block = (code_blocks("docs/library.md", language)[-1] for language in ("cmake", "cpp"))
    (tmp_path / "CMakeLists.txt").write_text(cmake)
    (tmp_path / "sliding.cpp").write_text(COMMANDS.replace("BLOCK", block))
    done("cmake", "-S", tmp_path, "-B", tmp_path / "build", "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}")
    done("cmake", "--build", tmp_path / "build")
