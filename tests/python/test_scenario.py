"""nodia.Scenario: one scenario from a file, a text and a dictionary; draws; errors."""

import json
import pickle
import shutil
import subprocess
import warnings

import numpy as np
import pytest
from built_package import BINARY, SOURCE

import nodia


@pytest.fixture
def box_file(box, tmp_path):
    path = tmp_path / "box.yaml"
    path.write_text(json.dumps(box, indent=1))
    return path


def test_a_file_a_text_and_a_dictionary_are_one_scenario(box, box_file):
    made = [nodia.Scenario(source).episode().yaml for source in (box_file, str(box_file), box_file.read_text(), box)]
    assert len(set(made)) == 1


def test_a_resolved_scenario_loads_to_itself(box):
    once = nodia.Scenario(box).episode().yaml
    assert nodia.Scenario(once).episode().yaml == once


def test_numbers_of_numpy_and_paths_are_values(box, tmp_path):
    shutil.copy(SOURCE / "scenarios/soft_ball/soft_ball.msh", tmp_path / "ball.msh")
    body = box["bodies"]["box"]
    plain = json.loads(json.dumps(box))
    plain["bodies"]["box"]["mesh"] = {"file": str(tmp_path / "ball.msh")}
    body["mesh"] = {"file": tmp_path / "ball.msh"}
    body["position_m"] = np.array(body["position_m"])
    body["friction"] = np.float64(body["friction"])
    assert nodia.Scenario(box).episode().yaml == nodia.Scenario(plain).episode().yaml


def test_relative_paths_start_from_the_directory(box, tmp_path, monkeypatch):
    shutil.copy(SOURCE / "scenarios/soft_ball/soft_ball.msh", tmp_path / "own.msh")
    box["bodies"]["box"]["mesh"] = {"file": "own.msh"}
    assert nodia.Scenario(box, directory=tmp_path).episode().name == "box"
    with pytest.raises(nodia.InputError, match=r"own\.msh"):
        nodia.Scenario(box).episode()
    monkeypatch.chdir(tmp_path)
    assert nodia.Scenario(box).episode().name == "box"


@pytest.mark.parametrize("overrides", [{"bodies.box.friction": 0.7, "time.step_s": 0.005}, ["box.friction=0.7", "time.step_s=0.005"]])
def test_overrides(box, overrides):
    episode = nodia.Scenario(box, overrides).episode()
    assert "friction: 0.7" in episode.yaml and episode.step_s == 0.005


def test_one_override_needs_no_list(box):
    assert nodia.Scenario(box, "time.step_s=0.005").episode().step_s == 0.005


def bad_box(box, **changes):
    box["bodies"]["box"] |= changes
    return box


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"friction": -1}, "scenario: bodies.box.friction = -1 (must be"),
        ({"friction": float("nan")}, "bodies.box.friction = "),
        ({"frictoin": 1}, "friction"),
        ({"youngs_modulus_Pa": "soft"}, "bodies.box.youngs_modulus_Pa = "),
        ({"friction": 1j}, "scenario: bodies.box.friction = 1j (must be a number"),
    ],
)
def test_bad_values_are_told_in_one_line(box, changes, words):
    with pytest.raises(nodia.InputError) as caught:
        nodia.Scenario(bad_box(box, **changes)).episode()
    assert words in str(caught.value) and "\n" not in str(caught.value)
    assert isinstance(caught.value, ValueError)


def test_a_text_has_lines(box):
    text = json.dumps(bad_box(box, friction=-1), indent=1)
    line = 1 + [k for k, row in enumerate(text.splitlines()) if '"friction"' in row][0]
    with pytest.raises(nodia.InputError, match=f"scenario:{line}: bodies.box.friction = -1"):
        nodia.Scenario(text).episode()


def test_a_missing_file_is_bad_input(tmp_path):
    with pytest.raises(nodia.InputError, match="none.yaml"):
        nodia.Scenario(tmp_path / "none.yaml")
    with pytest.raises(nodia.InputError, match="directory"):
        nodia.Scenario(tmp_path / "none.yaml", directory=tmp_path)


def test_meshes_are_read_once(drawn_box, tmp_path):
    shutil.copy(SOURCE / "scenarios/soft_ball/soft_ball.msh", tmp_path / "own.msh")
    drawn_box["bodies"]["box"]["mesh"] = {"file": str(tmp_path / "own.msh")}
    world = nodia.Scenario(drawn_box)
    first = world.episode(seed=1)
    (tmp_path / "own.msh").unlink()
    second = world.episode(seed=2)
    assert first.drawn != second.drawn
    assert nodia.Simulation([first, second]).nodes("box").shape[0] == 2


def test_draws_are_those_of_the_command(drawn_box, tmp_path):
    path = tmp_path / "drawn.yaml"
    path.write_text(json.dumps(drawn_box))
    world = nodia.Scenario(path)
    assert world.draws
    for draw in ([], ["--episode", "0"], ["--episode", "3"]):
        words = [BINARY, "run", path, "--seed", "9", *draw, "--steps", "1", "--out", tmp_path / "run", "--json"]
        done = subprocess.run(words, capture_output=True, text=True, check=True)
        told = json.loads(done.stdout)["environments"][0]
        episode = world.episode(9, int(draw[-1]) if draw else None)
        assert (episode.seed, episode.index, episode.attempt) == (told["seed"], told["episode"], told["attempt"])
        assert episode.drawn == told["drawn"]


def test_episodes_of_neighbouring_seeds_share_nothing(drawn_box):
    world = nodia.Scenario(drawn_box)
    episodes = [world.episode(seed, k, attempt) for seed in (7, 8) for k in range(20) for attempt in (0, 1)]
    assert len({str(episode.drawn) for episode in episodes}) == len(episodes)


def test_drawn_values_are_of_any_kind(box):
    box["randomize"] = {
        "bodies.box.friction": {"choice": [0.3, 0.5]},
        "bodies.box.orientation_wxyz": "rotation",
        "description": {"choice": ["one", "1", "true"]},
        "output.every_steps": {"integer": [2, 4]},
    }
    world = nodia.Scenario(box)
    drawn = [world.episode(7, k).drawn for k in range(40)]
    assert {values["bodies.box.friction"] for values in drawn} == {0.3, 0.5}
    assert {values["description"] for values in drawn} == {"one", "1", "true"}
    assert {values["output.every_steps"] for values in drawn} == {2, 3, 4}
    assert all(abs(np.linalg.norm(values["bodies.box.orientation_wxyz"]) - 1) < 1e-14 for values in drawn)


def test_a_resolved_episode_is_the_same_episode(drawn_box):
    episode = nodia.Scenario(drawn_box).episode(7, 3, 2)
    assert (episode.seed, episode.index, episode.attempt) == (7, 3, 2)
    again = nodia.Scenario(episode.yaml).episode()
    assert (again.seed, again.index, again.attempt) == (7, 3, 2) and again.yaml == episode.yaml
    another = nodia.Scenario(episode.yaml).episode(index=4)
    assert (another.seed, another.index, another.attempt) == (7, 4, 0)


def test_without_a_seed_nothing_is_drawn(drawn_box):
    world = nodia.Scenario(drawn_box)
    assert world.seed is None and world.episode().drawn == {}
    for name in ("index", "attempt"):
        with pytest.raises(nodia.InputError, match=f"{name} = 3 .must be 0 where no seed"):
            world.episode(**{name: 3})
    for name, beyond in (("seed", 2**64), ("index", 2**64), ("attempt", 2**31)):
        assert world.episode(**{"seed": 1, name: beyond - 1}).drawn
        for value in (-1, beyond):
            with pytest.raises(nodia.InputError, match=f"{name} = {value} .must be in "):
                world.episode(**{"seed": 1, name: value})


def test_a_seed_of_the_file_counts(drawn_box):
    world = nodia.Scenario(drawn_box | {"seed": 5})
    assert world.seed == 5
    assert world.episode(index=2).drawn == nodia.Scenario(drawn_box).episode(5, 2).drawn


def test_what_may_be_meant_otherwise_is_told(box):
    box["bodies"]["box"]["friction"] = 0.05
    del box["obstacles"]["floor"]["friction"]
    with pytest.warns(nodia.ScenarioWarning, match="bodies.box.friction"):
        episode = nodia.Scenario(box).episode()
    assert len(episode.warnings) == 1


def test_scenarios_and_episodes_can_be_pickled(drawn_box):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        episode = nodia.Scenario(drawn_box, {"time.step_s": 0.005}).episode(seed=3, index=1)
        again = pickle.loads(pickle.dumps(episode))
    assert again.yaml == episode.yaml and again.drawn == episode.drawn
