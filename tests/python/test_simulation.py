"""nodia.Simulation: the bits of the command, known answers, views that stay, several environments."""

import gc
import json
import subprocess

import h5py
import numpy as np
import pytest
from built_package import BINARY, MASS_KG, SOURCE

import nodia

STEP_S, GRAVITY = 0.01, 9.81


def test_states_have_the_bits_of_the_command(box, tmp_path):
    path = tmp_path / "box.yaml"
    path.write_text(json.dumps(box))
    words = [BINARY, "run", path, "--steps", "20", "--out", tmp_path / "run"]
    subprocess.run(words, capture_output=True, check=True)
    with h5py.File(tmp_path / "run/trajectory.vtkhdf") as file:
        recorded = file["VTKHDF/Points"][()].reshape(21, -1, 3)
        velocity = file["VTKHDF/PointData/velocity"][()].reshape(21, -1, 3)
        first, last = file["nodia/contacts/offsets"][20:22]
        contacts = {name: data[first:last] for name, data in file["nodia/contacts"].items() if name not in ("offsets", "bodies")}
    sim = nodia.Simulation(box)
    assert np.array_equal(sim.nodes("box", 0), recorded[0])
    for step in range(1, 21):
        sim.step()
        assert np.array_equal(sim.nodes("box", 0), recorded[step])
        assert np.array_equal(sim.velocities("box", 0), velocity[step])
    assert len(sim.contacts()) > 0 and len(contacts) == 9
    names = {"position": "position_m", "force": "force_N", "slip_velocity": "slip_velocity_m_s", "gap_end": "gap_end_m"}
    names |= {"body_i": "i", "body_j": "j"}
    for name, values in contacts.items():
        assert np.array_equal(getattr(sim.contacts(), names.get(name, name)), values), name


def test_a_call_of_many_steps_is_many_calls(box):
    one, many = nodia.Simulation(box), nodia.Simulation(box)
    many.step(12)
    for _ in range(12):
        one.step()
    assert np.array_equal(one.nodes("box"), many.nodes("box"))
    assert many.steps.tolist() == [12] and many.time_s == pytest.approx([0.12])


def test_an_environment_has_the_bits_of_its_run_alone(drawn_box):
    world = nodia.Scenario(drawn_box)
    batch = nodia.Simulation(world, num_envs=3, seed=7)
    batch.step(15)
    for k in range(3):
        alone = nodia.Simulation(world.episode(seed=7, index=k))
        alone.step(15)
        assert np.array_equal(alone.nodes("box", 0), batch.nodes("box", k))
    assert not np.array_equal(batch.nodes("box", 0), batch.nodes("box", 1))
    assert np.array_equal(batch.nodes("box"), np.stack([batch.nodes("box", k) for k in range(3)]))


def test_it_falls_as_bodies_do(box):
    box["bodies"]["box"] |= {"position_m": [0, 0, 1], "velocity_m_s": [0.3, 0, 0]}
    sim = nodia.Simulation(box)
    start = sim.nodes("box", 0)
    sim.step(10)
    assert np.allclose(sim.velocities("box", 0), [0.3, 0, -GRAVITY * 10 * STEP_S], atol=1e-9)
    fallen = GRAVITY * STEP_S**2 * 10 * 11 / 2  # implicit Euler
    assert np.allclose(sim.nodes("box", 0) - start, [0.03, 0, -fallen], atol=1e-9)
    assert len(sim.contacts()) == 0
    assert sim.contact_force("box", env=0).tolist() == [0, 0, 0]


@pytest.fixture
def resting(box):
    box["bodies"]["box"] |= {"position_m": [0, 0, 0], "velocity_m_s": [0, 0, 0], "rayleigh_mass_1_s": 5}
    box["solver"] = {"tolerance": 1e-9}
    sim = nodia.Simulation(box, num_envs=2)
    sim.step(200)
    return sim


def test_the_floor_carries_the_weight(resting):
    weight = [0, 0, MASS_KG * GRAVITY]
    assert np.allclose(resting.contact_force("box"), [weight, weight], atol=1e-6 * weight[2])
    assert np.array_equal(resting.contact_force("box", by="floor"), resting.contact_force("box"))
    assert np.array_equal(resting.contact_force("floor"), -resting.contact_force("box"))
    assert resting.contact_force("box", by="box", env=1).tolist() == [0, 0, 0]
    contacts = resting.contacts(1)
    assert set(contacts.names_i) == {"box"} and set(contacts.names_j) == {"floor"}
    assert np.allclose(contacts.force_N.sum(axis=0), resting.contact_force("box", env=1))
    assert np.allclose(contacts.normal, [0, 0, 1])
    assert np.abs(contacts.position_m[:, 2]).max() < 1e-3
    assert np.abs(contacts.gap_end_m).max() < 1e-6


def test_a_view_copies_nothing_and_shows_its_moment_for_ever(box):
    sim = nodia.Simulation(box)
    seen = []
    for _ in range(6):
        view = sim.nodes("box", 0)
        assert np.shares_memory(view, sim.nodes("box", 0))
        assert np.shares_memory(np.from_dlpack(view), view)
        seen.append((view, view.copy()))
        sim.step()
    assert all(np.array_equal(view, copy) for view, copy in seen)
    assert not np.array_equal(seen[0][0], seen[1][0])
    sim.step(50)
    del sim
    gc.collect()
    assert all(np.array_equal(view, copy) for view, copy in seen)


def test_arrays_where_the_steps_are_taken_are_copies_of_their_moment(drawn_box):
    sim = nodia.Simulation(drawn_box, num_envs=2, seed=3, backend="cpu")
    sim.step(3)
    kept = []
    for read, env in ((sim.nodes, None), (sim.nodes, 1), (sim.velocities, None), (sim.velocities, 0)):
        there = read("box", env, on_device=True)
        assert there.__dlpack_device__() == (1, 0)
        array = np.from_dlpack(there)
        assert np.array_equal(array, read("box", env)) and array.dtype == float
        kept.append((array, array.copy()))
    writable = np.asarray(sim.nodes("box", 0, on_device=True))
    writable[:] = 0
    sim.step(3)
    gc.collect()
    assert all(np.array_equal(array, copy) for array, copy in kept)
    assert not np.array_equal(kept[0][0], np.from_dlpack(sim.nodes("box", on_device=True)))
    assert sim.nodes("box", 0).any()
    with pytest.raises(IndexError):
        sim.nodes("box", 2, on_device=True)
    with pytest.raises(nodia.InputError, match="soft body = floor"):
        sim.velocities("floor", on_device=True)


def test_views_do_not_change_what_is_computed(box):
    watched, alone = nodia.Simulation(box), nodia.Simulation(box)
    kept = []
    for _ in range(12):
        kept.append(watched.velocities("box", 0))
        watched.step()
    alone.step(12)
    assert np.array_equal(watched.nodes("box", 0), alone.nodes("box", 0))


def test_views_are_read_only(box):
    view = nodia.Simulation(box).nodes("box", 0)
    assert not view.flags.writeable
    with pytest.raises(ValueError, match="read-only"):
        view[0] = 0


def test_environments_of_other_shapes_are_read_one_by_one(box):
    fine = json.loads(json.dumps(box))
    fine["bodies"]["box"]["mesh"]["box"]["cells"] = [3, 2, 1]
    sim = nodia.Simulation([nodia.Scenario(box).episode(), nodia.Scenario(fine).episode()])
    assert sim.nodes("box", 0).shape == (18, 3) and sim.nodes("box", 1).shape == (24, 3)
    with pytest.raises(ValueError, match=r"box: shape \(24, 3\) in environment 1, \(18, 3\) in environment 0"):
        sim.nodes("box")
    assert sim.contact_force("box").shape == (2, 3)


def test_names_numbers_and_kinds_that_are_not_there(box, gripper):
    sim = nodia.Simulation(box | {"robots": gripper["robots"]})
    for call, words in (
        (lambda: sim.nodes("bocks"), "did you mean box?"),
        (lambda: sim.nodes("floor"), "soft body = floor (must be one of box"),
        (lambda: sim.q("box"), "robot = box (must be one of hand"),
        (lambda: sim.poses("box"), "rigid body or cable = box (the scene has none)"),
        (lambda: sim.contact_force("box", by="flor"), "did you mean floor?"),
        (lambda: sim.sensor("wirst"), "did you mean wrist?"),
        (lambda: sim.step(0), "n = 0 (must be >= 1"),
    ):
        with pytest.raises(nodia.InputError) as caught:
            call()
        assert words in str(caught.value)
    for env in (-1, 1):
        with pytest.raises(IndexError, match="env = "):
            sim.nodes("box", env)
    with pytest.raises(TypeError):
        sim.nodes("box", 0.5)


def test_what_simulations_are_made_of(box, drawn_box):
    episode = nodia.Scenario(box).episode()
    other = nodia.Scenario(box, {"solver.tolerance": 1e-7}).episode()
    for arguments, words in (
        ({"source": []}, "episodes = []"),
        ({"source": box, "num_envs": 0}, "num_envs = 0"),
        ({"source": [episode], "seed": 1}, "num_envs, seed"),
        ({"source": [episode, other]}, "episodes[1]: solver"),
    ):
        with pytest.raises(nodia.InputError) as caught:
            nodia.Simulation(**arguments)
        assert words in str(caught.value)
    with pytest.raises(TypeError, match="must be nodia.Episode"):
        nodia.Simulation([box])
    several = nodia.Simulation(drawn_box | {"environments": 3})
    assert several.num_envs == 3 and len({str(e.drawn) for e in several.episodes}) == 3


def test_a_robot(gripper):
    sim = nodia.Simulation(gripper)
    assert sim.joints("hand")[-2:] == ["finger_left", "finger_right"] and len(sim.joints("hand")) == 8
    assert sim.q("hand").shape == sim.velocities("hand").shape == (1, 8)
    links = dict(zip(sim.links("hand"), sim.link_poses("hand", 0)))
    assert np.allclose(links[sim.links("hand")[0]], [0, 0, 0.3, 1, 0, 0, 0])
    assert np.isnan(sim.sensor("wrist", 0)).all()
    sim.step(100)
    x, y, z = sim.sensor("wrist", 0)[:3]
    assert np.allclose([x, y, z], [0, 0, -0.8 * GRAVITY], atol=1e-6), "palm and fingers hang on it"


def test_rigid_bodies_and_cables_have_poses(box):
    box["rigid_bodies"] = {"die": {"shape": "box", "size_m": [0.1, 0.1, 0.1], "mass_kg": 1, "position_m": [0, 1, 1]}}
    box["cables"] = {
        "rope": {"points_m": [[0, 2, 1], [0.5, 2, 1]], "links": 5, "radius_m": 0.01, "youngs_modulus_Pa": 1e6}
    }
    sim = nodia.Simulation(box)
    assert np.allclose(sim.poses("die", 0), [[0, 1, 1, 1, 0, 0, 0]])
    sim.step(3)
    fall = -GRAVITY * 3 * STEP_S
    assert np.allclose(sim.velocities("die", 0), [[0, 0, fall, 0, 0, 0]], atol=1e-9)
    assert sim.poses("rope").shape == (1, 5, 7) and sim.velocities("rope").shape == (1, 5, 6)
    assert sim.objects() == {"box": "soft_body", "die": "rigid_body", "rope": "cable", "floor": "obstacle"}


def test_meshes(box):
    sim = nodia.Simulation(nodia.Scenario(SOURCE / "scenarios/soft_mat/soft_mat.yaml"))
    x, tets, faces = sim.nodes("mat", 0), sim.tetrahedra("mat"), sim.surface("mat")
    corners = x[tets]
    volume = np.linalg.det(corners[:, 1:] - corners[:, :1]).sum() / 6
    a, b, c = (x[faces[:, k]] for k in range(3))
    assert volume == pytest.approx(np.sum(a * np.cross(b, c)) / 6), "Gauss: the surface is closed, its normals outward"
    assert all(set(nodes) <= set(range(len(x))) for nodes in sim.node_sets("mat").values())


def test_objects_in_each_other_are_told(box):
    box["bodies"]["box"]["position_m"] = [0, 0, 1]
    box["obstacles"]["ball"] = {"shape": "sphere", "radius_m": 0.04, "position_m": [0, 0, 0.03]}
    box["rigid_bodies"] = {"die": {"shape": "box", "size_m": [0.1, 0.1, 0.1], "mass_kg": 1, "position_m": [0, 0, 0.05]}}
    with pytest.warns(nodia.OverlapWarning, match="environment 0: '(die|ball)' and '(die|ball)' lie"):
        nodia.Simulation(box).step()
