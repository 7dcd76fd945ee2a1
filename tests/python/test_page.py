"""The code of docs/python.md, and the Python of README.md, do what the pages say."""

import shutil

import numpy as np
import pytest
from built_package import SOURCE
from PIL import Image
from shown_commands import code_blocks
from ten_lines import give, ten_lines

import nodia
from nodia_tools import palette


def test_the_ten_lines_are_ten_and_end_in_a_picture(tmp_path, monkeypatch):
    give(tmp_path)
    monkeypatch.chdir(tmp_path)
    lines = [line for line in ten_lines().splitlines() if line]
    assert len(lines) <= 10
    names = {}
    exec(compile("\n".join(lines), "README.md", "exec"), names)
    picture = np.asarray(Image.open("pad.png"))
    assert picture.shape == (720, 960, 3)
    colours = {tuple(pixel) for pixel in picture.reshape(-1, 3)[::7]}
    assert len(colours) > 50 and palette.rgb(palette.FLOOR) in colours
    sim = names["sim"]
    assert sim.objects() == {"pad": "soft_body", "arm": "robot", "floor": "obstacle"}
    assert sim.joints("arm") == ["elbow"] and sim.reports.converged.all()


@pytest.fixture
def soft_ball(tmp_path, monkeypatch):
    """The scenario in the working folder."""
    for name in ("soft_ball/soft_ball.yaml", "soft_ball/soft_ball.msh"):
        shutil.copy(SOURCE / "scenarios" / name, tmp_path)
    scenario = (tmp_path / "soft_ball.yaml").read_text()
    (tmp_path / "soft_ball.yaml").write_text(scenario.replace("../assets", str(SOURCE / "scenarios/assets")))
    monkeypatch.chdir(tmp_path)


def run_block(index):
    names = {}
    exec(compile(code_blocks("docs/python.md", "python")[index], "docs/python.md", "exec"), names)
    return names


@pytest.mark.filterwarnings("ignore::nodia.ScenarioWarning")
def test_environments(soft_ball, capsys):
    names = run_block(0)
    report, sim = names["report"], names["sim"]
    assert report.status.shape == report.certificate_J.shape == (4,)
    assert sim.nodes("ball").shape[0::2] == (4, 3) and sim.q("gripper").shape == (4, 8)
    assert sim.contact_force("ball", by="gripper").shape == (4, 3) and sim.sensor("wrist").shape == (4, 6)
    assert len(names["contacts"]) > 0 and set(names["contacts"].names_i) == {"ball"}
    assert "(4, " in capsys.readouterr().out


@pytest.mark.filterwarnings("ignore::nodia.ScenarioWarning")
def test_on_a_gpu(soft_ball, capsys):
    names = run_block(1)
    assert np.array_equal(names["nodes"], names["sim"].nodes("ball"))
    assert capsys.readouterr().out == "(1, 0)\n"


@pytest.mark.filterwarnings("ignore::nodia.ScenarioWarning")
def test_commands_checkpoints_resets(soft_ball):
    names = run_block(2)
    sim = names["sim"]
    assert sim.steps.tolist() == [24, 0] and sim.episodes[1].seed == 99
    assert np.allclose(sim.joint_targets("gripper", 0), names["targets"][0], atol=1e-15)
    with pytest.raises(nodia.InputError, match="checkpoint"):
        sim.load(names["there"])  # the episode of place 1 is another now
