"""save, load and reset: the bits of never having stopped, of a scene alone; nothing half done."""

import json
import pickle
import subprocess
import sys

import numpy as np
import pytest
from built_package import PACKAGE

import nodia


@pytest.fixture
def sim(drawn_box):
    sim = nodia.Simulation(drawn_box, num_envs=2, seed=3)
    sim.step(8)
    return sim


def bits(sim):
    return sim.nodes("box"), sim.velocities("box"), sim.time_s


def same(a, b):
    return all(np.array_equal(x, y) for x, y in zip(a, b))


def test_going_on_from_a_checkpoint_has_the_bits_of_never_having_stopped(sim):
    there = sim.save()
    sim.step(15)
    end = bits(sim)
    sim.load(there)
    assert sim.steps.tolist() == [8, 8]
    sim.step(15)
    assert same(bits(sim), end)
    other = nodia.Simulation(sim.episodes)
    other.load(there)
    other.step(15)
    assert same(bits(other), end)


def test_one_environment_goes_back_and_the_other_does_not_notice(sim):
    there = sim.save(env=1)
    sim.step(10)
    end = bits(sim)[0]
    zero = sim.nodes("box", 0)
    sim.load(there, env=1)
    assert np.array_equal(sim.nodes("box", 0), zero)
    sim.step(10)
    assert np.array_equal(sim.nodes("box", 1), end[1])
    straight = nodia.Simulation(sim.episodes[0])
    straight.step(28)
    assert np.array_equal(sim.nodes("box", 0), straight.nodes("box", 0))


def test_pickles_bytes_and_files_hold_all_of_it(sim, tmp_path, drawn_box):
    there = sim.save()
    there.write(tmp_path / "there.checkpoint")
    sim.step(15)
    end = bits(sim)
    for again in (
        pickle.loads(pickle.dumps(there)),
        nodia.Checkpoint.from_bytes(there.to_bytes()),
        nodia.Checkpoint.read(tmp_path / "there.checkpoint"),
    ):
        assert len(again) == 2
        sim.load(again)
        sim.step(15)
        assert same(bits(sim), end)
    code = f"""
import sys; sys.path.insert(0, {str(PACKAGE)!r})
import json, nodia
sim = nodia.Simulation(json.loads({json.dumps(drawn_box)!r}), num_envs=2, seed=3)
sim.load(nodia.Checkpoint.read({str(tmp_path / "there.checkpoint")!r}))
sim.step(15)
sys.stdout.write(sim.nodes("box").tobytes().hex())
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert bytes.fromhex(done.stdout) == end[0].tobytes(), "in another process"


def test_what_is_damaged_or_of_another_scene_is_refused_and_changes_nothing(sim, box, tmp_path):
    there = sim.save()
    data = bytearray(there.to_bytes())
    data[len(data) // 2] ^= 1
    for bad in (data, b"", data[:100]):
        with pytest.raises(nodia.InputError, match="own name"):
            nodia.Checkpoint.from_bytes(bad, "own name")
    with pytest.raises(nodia.InputError, match="none"):
        nodia.Checkpoint.read(tmp_path / "none")
    with pytest.raises(nodia.RuntimeError, match="cannot be written"):
        there.write(tmp_path / "no folder/file")
    assert list(tmp_path.iterdir()) == []
    now = bits(sim)
    mixed = nodia.Simulation([sim.episodes[0], nodia.Scenario(box).episode()])
    for checkpoint in (mixed.save(), sim.save(env=0)):
        with pytest.raises(nodia.InputError, match="checkpoint"):
            sim.load(checkpoint)
    assert same(bits(sim), now)
    twin = nodia.Simulation(sim.episodes)
    twin.step(8)
    sim.step(5)
    twin.step(5)
    assert same(bits(sim), bits(twin)), "the first environment of the refused one was put back whole"


def test_commands_that_wait_for_a_step_are_saved(gripper):
    sim = nodia.Simulation(gripper)
    sim.set_joint_targets("hand", [0.1, 0.03, 0.02])
    there = pickle.loads(pickle.dumps(sim.save()))
    sim.step(6)
    end = sim.q("hand", 0)
    sim.load(there)
    sim.step(6)
    assert np.array_equal(sim.q("hand", 0), end)
    assert np.allclose(sim.joint_targets("hand", 0), [0.1, 0.03, 0.02], atol=1e-15)
    other = nodia.Simulation(gripper)
    other.load(there)
    other.step(6)
    assert np.array_equal(other.q("hand", 0), end)


def test_views_outlive_load_and_reset(sim):
    seen = [(view, view.copy()) for view in (sim.nodes("box", 0), sim.velocities("box", 0))]
    there = sim.save()
    sim.step(3)
    seen += [(view, view.copy()) for view in (sim.nodes("box", 0), sim.velocities("box", 0))]
    sim.load(there)
    sim.reset(0)
    sim.step(3)
    assert all(np.array_equal(view, copy) for view, copy in seen)


def test_after_load_and_reset_no_contact_is_remembered(sim):
    there = sim.save()
    sim.step(10)
    assert len(sim.contacts(0)) > 0 and sim.contact_force("box", env=0)[2] > 0
    sim.load(there)
    assert len(sim.contacts(0)) == 0 and not sim.contact_force("box").any()
    sim.step()
    sim.reset(0)
    assert len(sim.contacts(0)) == 0


def test_a_place_that_was_reset_has_the_bits_of_its_scene_alone(sim, box):
    box["bodies"]["box"]["mesh"]["box"]["cells"] = [3, 2, 1]
    other = nodia.Scenario(box).episode()
    twin = nodia.Simulation(sim.episodes[0])
    twin.step(8)
    sim.reset(1, other)
    assert sim.episodes[1] is other and sim.steps.tolist() == [8, 0]
    sim.step(12)
    twin.step(12)
    alone = nodia.Simulation(other)
    alone.step(12)
    assert np.array_equal(sim.nodes("box", 1), alone.nodes("box", 0))
    assert np.array_equal(sim.nodes("box", 0), twin.nodes("box", 0))
    sim.reset(1)
    sim.step(12)
    assert np.array_equal(sim.nodes("box", 1), alone.nodes("box", 0)), "its own episode again"


def test_a_failed_place_goes_on_after_a_reset(gripper):
    sim = nodia.Simulation(gripper)
    sim.set_joint_targets("hand", [np.nan, 0, 0])
    sim.step()
    assert sim.failed.all()
    sim.reset(0)
    assert not sim.failed.any() and sim.step().converged.all()


def test_episodes_that_do_not_fit_are_refused(sim, box):
    now = bits(sim)
    for overrides, words in (({"time.step_s": 0.005}, "step_s"), ({"solver.tolerance": 1e-7}, "solver")):
        with pytest.raises(nodia.InputError, match=words):
            sim.reset(0, nodia.Scenario(box, overrides).episode())
    with pytest.raises(TypeError):
        sim.reset(0, box)
    with pytest.raises(IndexError):
        sim.reset(2)
    assert same(bits(sim), now)
    sim.step()
