"""Mistakes in Python with the exceptions that they must raise: the argument or object, its value, and the rule.

A line of MISTAKES is a call of a user, the type of its exception and the whole message. <folder> in a message stands
for the working directory. The calls use the objects of `names`.
"""

import re

import numpy as np
import pytest
from built_package import SOURCE
from gymnasium.error import ResetNeeded

import nodia
import nodia.gym
import nodia.policy

HAND = SOURCE / "scenarios/assets/free_gripper/free_gripper_two_drives.urdf"
TARGETS_RULE = "(must be (n,), the same for every environment, or (1, n) without env)"

MISTAKES = [
    # Scenarios
    (
        'nodia.Scenario("sceen.yaml")',
        nodia.InputError,
        "sceen.yaml: no such file (check the name and the working directory)",
    ),
    ("nodia.Scenario(7)", TypeError, "source = 7 (must be a path, a text in YAML, or a dictionary)"),
    ('nodia.Scenario("")', nodia.InputError, "source = '' (must be a path)"),
    (
        'nodia.Scenario({"name": "x", "bodeis": {}}).episode()',
        nodia.InputError,
        "scenario: bodeis = {...} (unknown key; did you mean bodies?)",
    ),
    (
        'nodia.Scenario(box | {"name": "<script>"}).episode()',
        nodia.InputError,
        "scenario: name = <script> (must be without control characters and <)",
    ),
    (
        'nodia.Scenario(box | {"gravity_m_s2": 9.81}).episode()',
        nodia.InputError,
        "scenario: gravity_m_s2 = 9.81 (must be 3 numbers in brackets; try [0, 0, -9.81]: z is up)",
    ),
    (
        'nodia.Scenario(box | {"gravity_m_s2": [0, 0, 1j]})',
        nodia.InputError,
        "scenario: gravity_m_s2.2 = 1j (must be a number, a text, a list or a dictionary)",
    ),
    (
        'nodia.Scenario(box, {"bodies.box.frictoin": 1}).episode()',
        nodia.InputError,
        "--set bodies.box.frictoin=1: bodies.box.frictoin (unknown key; did you mean bodies.box.friction?)",
    ),
    (
        'nodia.Scenario(box, {"time.step_s": {0.01}})',
        nodia.InputError,
        "overrides: time.step_s = {0.01} (must be a number, a text, a list or a dictionary)",
    ),
    (
        "nodia.Scenario(box, 0.01)",
        TypeError,
        "overrides = 0.01 (must be a dictionary of dotted keys, or texts key=value)",
    ),
    (
        'nodia.Scenario(box, packages={"hand_description": "nowhere"})',
        nodia.InputError,
        "packages['hand_description'] = nowhere (must be a folder)",
    ),
    (
        'nodia.Scenario(box, packages="hand_description")',
        TypeError,
        "packages = 'hand_description' (must be a dictionary of folders by name)",
    ),
    (
        'nodia.Scenario(box, directory="nowhere")',
        nodia.InputError,
        "directory = nowhere (must be a folder; paths in the scenario start from it)",
    ),
    # Episodes
    ("nodia.Scenario(box).episode(seed=-1)", nodia.InputError, "seed = -1 (must be in [0, 18446744073709551616))"),
    ("nodia.Scenario(box).episode(seed=1.5)", TypeError, "seed = 1.5 (must be a whole number)"),
    ("nodia.Scenario(box).episode(seed=1, attempt=-1)", nodia.InputError, "attempt = -1 (must be in [0, 2147483648))"),
    (
        "nodia.Scenario(box).episode(index=3)",
        nodia.InputError,
        "index = 3 (must be 0 where no seed is given; give a seed)",
    ),
    # Simulations
    ("nodia.Simulation(box, num_envs=0)", nodia.InputError, "num_envs = 0 (must be >= 1)"),
    ("nodia.Simulation(box, num_envs=10**9)", nodia.InputError, "num_envs = 1000000000 (must be <= 100000)"),
    ('nodia.Simulation(box, num_envs="2")', TypeError, "num_envs = '2' (must be a whole number)"),
    ('nodia.Simulation(box, threads="two")', TypeError, "threads = 'two' (must be a whole number)"),
    ("nodia.Simulation(box, threads=-1)", nodia.InputError, "solver.threads = -1 (must be in [0, 1024]; try 0)"),
    ('nodia.Simulation(box, backend="gpu")', nodia.InputError, "backend = gpu (must be auto, cpu or cuda)"),
    (
        'nodia.Simulation(["box"])',
        TypeError,
        "episodes[0] = 'box' (must be nodia.Episode; Scenario.episode() makes one)",
    ),
    ("sim.step(-1)", nodia.InputError, "n = -1 (must be >= 1; a number of steps)"),
    ("sim.step(2.5)", TypeError, "n = 2.5 (must be a whole number)"),
    ("sim.step(10**20)", nodia.InputError, "n = 100000000000000000000 (must be <= 1000000000; a number of steps)"),
    # Readers
    ('sim.nodes("bxo")', nodia.InputError, "soft body = bxo (must be one of box; did you mean box?)"),
    ("sim.nodes(0)", TypeError, "name = 0 (must be a text)"),
    ('sim.nodes("box", env=1)', IndexError, "env = 1 (must be in [0, 1))"),
    ('sim.nodes("box", env=0.5)', TypeError, "env = 0.5 (must be a whole number)"),
    ('sim.contacts("box")', TypeError, "env = 'box' (must be a whole number)"),
    (
        'sim.contact_force("box", by="flor")',
        nodia.InputError,
        "object = flor (must be one of box, hand, floor; did you mean floor?)",
    ),
    ('sim.tetrahedra("box", env=None)', TypeError, "env = None (must be a whole number)"),
    # Commands
    (
        'sim.set_joint_targets("arm", [0, 0])',
        nodia.InputError,
        "robot = arm (must be the name of a robot; known: hand)",
    ),
    (
        'sim.set_joint_targets("hand", [0.1])',
        nodia.InputError,
        "targets = [0.1] (must be 2 numbers, one for each joint drive of robot 'hand')",
    ),
    ('sim.set_joint_targets("hand", 0.1)', nodia.InputError, f"targets = 0.1 {TARGETS_RULE}"),
    ('sim.set_joint_targets("hand", "open")', nodia.InputError, "targets = 'open' (must be numbers)"),
    (
        'sim.set_joint_targets("hand", [0, 0], reach_s="slow")',
        TypeError,
        "reach_s = 'slow' (must be a number)",
    ),
    ('sim.set_frame_target("floor", [0, 0])', nodia.InputError, "position_m = [0.0, 0.0] (must be 3 numbers)"),
    (
        'sim.set_frame_target("floor", [0, 0, 0], [1, 1, 0, 0])',
        nodia.InputError,
        "orientation_wxyz = [1.0, 1.0, 0.0, 0.0] (must be of unit length within 0.001)",
    ),
    (
        'sim.set_pose_target("hand", "palm", [0, 0, 0])',
        nodia.InputError,
        "drive = palm (must be a pose drive of robot 'hand', which has none)",
    ),
    (
        'sim.set_holding("hook", False)',
        nodia.InputError,
        "attachment = hook (must be the name of an attachment; there is none)",
    ),
    # Pictures
    ('sim.render("box.jpg")', nodia.InputError, "path = box.jpg (must end in .png)"),
    (
        'sim.render("nowhere/box.png")',
        nodia.RuntimeError,
        "nowhere/box.png: cannot be written (No such file or directory; must be a file in an existing folder)",
    ),
    ("sim.render(size=640)", nodia.InputError, "size = 640 (must be width, height: two whole numbers of pixels)"),
    ('sim.render(direction="x")', nodia.InputError, "direction = 'x' (must be three numbers, not vertical)"),
    # Checkpoints and resets
    (
        "nodia.Simulation(box).load(sim.save())",
        nodia.InputError,
        "checkpoint (must be of the same scene as 'box', but is of another: load it where the scene is what it was, "
        "meshes and drawn values included)",
    ),
    (
        "nodia.Simulation(box, num_envs=2).load(sim.save())",
        nodia.InputError,
        "checkpoint of 1 environments (must be of 2; env=K loads it into one of them)",
    ),
    (
        'sim.load("a.checkpoint")',
        TypeError,
        "checkpoint = 'a.checkpoint' (must be nodia.Checkpoint; Checkpoint.read and Checkpoint.from_bytes make one)",
    ),
    (
        "nodia.Checkpoint.from_bytes(sim.save().to_bytes()[:-1])",
        nodia.InputError,
        "checkpoint: is damaged (its checksum is not that of its bytes; take an earlier one)",
    ),
    (
        'nodia.Checkpoint.from_bytes(b"{}")',
        nodia.InputError,
        "checkpoint: is no checkpoint (must begin with 'nodia checkpoint 1')",
    ),
    ("nodia.Checkpoint.from_bytes(4)", TypeError, "data = 4 (must be bytes of Checkpoint.to_bytes())"),
    (
        'nodia.Checkpoint.read("nowhere")',
        nodia.InputError,
        "nowhere: cannot be read (No such file or directory; must be a file of Checkpoint.write())",
    ),
    ("sim.reset(1)", IndexError, "env = 1 (must be in [0, 1))"),
    (
        "sim.reset(0, 3)",
        TypeError,
        "episode = 3 (must be nodia.Episode; Scenario.episode() makes one)",
    ),
    # Environments of Gymnasium
    ("env.step(np.zeros(3))", nodia.InputError, "action: shape (3,) (must be (4,): components)"),
    ('env.step("open")', nodia.InputError, "action = 'open' (must be numbers, (4,))"),
    ("env.step([0, 0, 0, 1j])", nodia.InputError, "action = [0, 0, 0, 1j] (must be numbers, (4,))"),
    ("env.step([0, 0, 0, None])", nodia.InputError, "action = [0, 0, 0, None] (must be numbers, (4,))"),
    ("env.reset(seed=-1)", nodia.InputError, "seed = -1 (must be >= 0)"),
    (
        'env.reset(options={"seed": 3})',
        nodia.InputError,
        "options['seed'] = 3 (unknown option; there are none)",
    ),
    (
        "nodia.gym.ScenarioEnv(quick_lift).step(np.zeros(4))",
        ResetNeeded,
        "environment 0: reset() (must come before step(), also after an episode's end)",
    ),
    (
        "nodia.gym.ScenarioEnv(box)",
        nodia.InputError,
        "task (must be given; the scenario box has no task)",
    ),
    (
        'nodia.gym.ScenarioEnv(quick_lift, render_mode="human")',
        nodia.InputError,
        "render_mode = human (must be rgb_array or None)",
    ),
    ("nodia.gym.ScenarioVectorEnv(quick_lift, 2.5)", TypeError, "num_envs = 2.5 (must be a whole number)"),
    ("envs.step(np.zeros(4))", nodia.InputError, "actions: shape (4,) (must be (2, 4): environments, components)"),
    ("envs.reset(seed=[1])", nodia.InputError, "seed: 1 (must be one for each of 2 environments)"),
    (
        'envs.reset(options={"reset_mask": [1, 0]})',
        nodia.InputError,
        "options['reset_mask'] = [1, 0] (must be bool, (2,), and somewhere true)",
    ),
    # Files of actions and policies
    (
        'nodia.read_action_log("columns.csv", env.task)',
        nodia.InputError,
        "columns.csv:1: column time (must be one of time_s, base_x, base_y, base_z, gripper; did you mean time_s?)",
    ),
    (
        'nodia.read_action_log("nowhere.csv", env.task)',
        nodia.InputError,
        "nowhere.csv: no such file (check the name; a scenario's paths start from its folder)",
    ),
    (
        'nodia.write_action_log("log.csv", "lift", np.zeros((3, 4)))',
        TypeError,
        "task = 'lift' (must be nodia.policy.Task, as `task` of an environment of nodia.gym)",
    ),
    (
        'nodia.write_action_log("log.csv", env.task, np.zeros((3, 2)))',
        nodia.InputError,
        "actions: shape (3, 2) (must be (steps, 4), at least one step)",
    ),
    (
        'nodia.policy.load_policy("policy.py:Lift", env.task)',
        nodia.InputError,
        "policy.py: no such file (must be a Python file; check the name and the working directory)",
    ),
    # Commands of the shell
    (
        'nodia.export("data", "out", "lerobot")',
        nodia.InputError,
        "nodia export: data: no dataset (it has no dataset.yaml; nodia generate SCENARIO data makes one)",
    ),
    (
        'nodia.export("nowhere", "out", "lerobot")',
        nodia.InputError,
        "nodia export: nowhere: missing (must be the folder of a dataset)",
    ),
    ('nodia.export("nowhere", None, "lerobot")', TypeError, "out = None (must be a path: a text or os.PathLike)"),
    ('nodia.render("nowhere")', nodia.InputError, "nodia render: nowhere: missing (must be the directory of a run)"),
    (
        'nodia.view("nowhere")',
        nodia.InputError,
        "directory = nowhere (must be the directory of a run; nodia run SCENARIO --out DIR)",
    ),
]


@pytest.fixture(scope="module")
def names():
    """What the calls use: a scenario, a simulation, environments of Gymnasium."""
    box = {
        "name": "box",
        "bodies": {
            "box": {"mesh": {"box": {"size_m": [0.1, 0.1, 0.05], "cells": [2, 2, 1]}}, "youngs_modulus_Pa": 1e5}
        },
        "obstacles": {"floor": {"shape": "half_space"}},
    }
    drives = {"finger_left": {"stiffness": 2000}, "finger_right": {"stiffness": 2000}}
    robots = {"hand": {"urdf": str(HAND), "position_m": [0, 0, 0.3], "joint_drives": drives}}
    quick_lift = nodia.gym.scenario_file("quick_lift")
    short = {"time.duration_s": 0.28, "task.settle.at_most_s": 0.04}
    env = nodia.gym.ScenarioEnv(quick_lift, overrides=short)
    env.reset(seed=1)
    envs = nodia.gym.ScenarioVectorEnv(quick_lift, 2, overrides=short)
    envs.reset(seed=1)
    sim = nodia.Simulation(box | {"robots": robots})
    return {"nodia": nodia, "np": np, "box": box, "sim": sim, "quick_lift": quick_lift, "env": env, "envs": envs}


@pytest.mark.parametrize(("call", "kind", "message"), MISTAKES, ids=[call for call, *_ in MISTAKES])
def test_a_mistake_is_one_line_that_names_argument_value_and_rule(names, call, kind, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data").mkdir()
    (tmp_path / "columns.csv").write_text("time,x\n0,1\n")
    with pytest.raises(kind) as caught:
        eval(call, dict(names))
    assert type(caught.value) is kind
    assert str(caught.value).replace(str(tmp_path), "<folder>") == message
    assert not (tmp_path / "out").exists()


def test_a_target_that_is_no_number_is_in_the_report(names):
    sim = nodia.Simulation(names["sim"].episodes)
    sim.set_joint_targets("hand", [0, np.nan])
    report = sim.step()
    assert report.status.tolist() == ["not_a_number"] and sim.failed.all()
    assert report.reason[0] == "the targets of robot 'hand' are not finite: [0, nan]"


def test_the_table_has_twenty_five_mistakes_with_a_rule_each():
    assert len({call for call, *_ in MISTAKES}) == len(MISTAKES) >= 25
    for call, _, message in MISTAKES:
        assert re.search(r"must |unknown key|unknown option|check the name|take an earlier one|makes one", message), call
