"""nodia render and the viewer draw a damaged run, or answer with one line and exit code 2."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from damages import damaged
from nodia_command import SOURCE, needs_nodia, run
from tool_environment import tool_environment

pytestmark = needs_nodia

SCENE = """\
name: mixed
time: {step_s: 0.01, duration_s: 0.05}
bodies:
  box:
    mesh: {box: {size_m: [0.1, 0.1, 0.05], cells: [2, 2, 1]}}
    youngs_modulus_Pa: 1.0e+5
    poissons_ratio: 0.3
rigid_bodies:
  crate: {shape: box, size_m: [0.05, 0.05, 0.05], mass_kg: 0.1, position_m: [0.2, 0, 0.025]}
cables:
  rope: {points_m: [[0, 0.2, 0.05], [0.3, 0.2, 0.05]], links: 6, radius_m: 0.004}
obstacles:
  floor: {shape: half_space}
  post: {shape: cylinder, radius_m: 0.02, length_m: 0.1, position_m: [-0.15, 0, 0.05]}
"""
N_RUN = 64


def outcomes(folders):
    """Answers of draw_each.py. If its process crashes, the test fails."""
    words = [sys.executable, "-P", SOURCE / "tests/tools/draw_each.py", *folders]
    done = subprocess.run(list(map(str, words)), env=tool_environment(), capture_output=True, text=True, timeout=1200)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def expect_good_answer(done):
    if done["code"] == 0:
        assert "Traceback" not in done["messages"], done["messages"]
        assert done["verb"] == "view" or Path(f"{done['folder']}.png").exists()
    else:
        assert done["code"] == 2 and done["messages"].count("\n") == 1, done
        program = f"nodia {done['verb']}: "
        assert done["messages"].startswith((program + done["folder"], program + "--field = ")), done["messages"]


@pytest.fixture(scope="module")
def good_run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("good")
    (folder / "mixed.yaml").write_text(SCENE)
    done = run("run", folder / "mixed.yaml", "--out", folder / "run")
    assert done.returncode == 0, done.stderr
    return folder / "run"


def test_every_damage_is_drawn_or_answered_in_one_line(good_run, tmp_path):
    what = {str(tmp_path / f"run{seed:02}"): damaged(good_run, tmp_path / f"run{seed:02}", seed) for seed in range(N_RUN)}
    done = outcomes(what)
    assert {one["folder"] for one in done} == what.keys()
    for one in done:
        try:
            expect_good_answer(one)
        except AssertionError as error:
            raise AssertionError(f"{what[one['folder']]}: {error}") from None
    codes = [one["code"] for one in done]
    assert min(codes.count(0), codes.count(2)) > len(codes) / 4, "damages that matter, and some that do not"
