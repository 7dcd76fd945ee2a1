"""The checker of the campaign: sound runs pass, 21 falsified ones are found, and each by the check that is meant for it."""

import numpy as np
import pytest
from campaign_runs import Forgery, make_runs
from nodia_command import needs_nodia

from campaign import elasticity
from campaign.checks import judge, momentum, volume
from campaign.motion import rotational
from campaign.recording import Recording, Unjudged

pytestmark = needs_nodia

MIDDLE = 15  # a step in the middle of every run


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    return make_runs(tmp_path_factory.mktemp("campaign_runs"))


def _rows(values, step):
    """Rows of the contacts at the end of a step."""
    return slice(*values["offsets"][step : step + 2])


def _spin(x, v, rate):
    """Velocities with a rotation about the z axis through the centre added."""
    r = x - x.mean(axis=-2, keepdims=True)
    return v + rate * np.cross([0, 0, 1], r)


# Falsifications: change arrays of the trajectory (frames first), or files of the run.


def all_forces_of_a_step_removed(forgery):
    with forgery.trajectory() as t:
        t["force"][_rows(t, MIDDLE)] = 0


def forces_halved(forgery):
    with forgery.trajectory() as t:
        t["force"] *= 0.5


def forces_turned(forgery):
    with forgery.trajectory() as t:
        t["force"][_rows(t, MIDDLE)] *= -1


def force_of_a_mount_removed(forgery):
    for axis in "xyz":
        forgery.set_column(f"rear_f{axis}_N", MIDDLE, 0.0)


def soft_body_speeds_up(forgery):
    with forgery.trajectory() as t:
        t["velocity"][MIDDLE] += [0.01, 0, 0]


def soft_body_spins(forgery):
    with forgery.trajectory() as t:
        t["velocity"][MIDDLE:, :27] = _spin(t["points"][MIDDLE:, :27], t["velocity"][MIDDLE:, :27], 20)


def rigid_body_spins_faster(forgery):
    with forgery.trajectory() as t:
        pose = 2  # spinning
        angle = 0.005 * 9 * np.arange(len(t["position"]))  # 9 rad/s
        turned = np.stack([np.cos(angle / 2), 0 * angle, 0 * angle, np.sin(angle / 2)], axis=1)
        t["orientation"][MIDDLE:, pose] = turned[MIDDLE:]


def soft_body_is_stretched(forgery):
    with forgery.trajectory() as t:
        x = t["points"][MIDDLE:, :27]
        centre = x.mean(axis=1, keepdims=True)
        t["points"][MIDDLE:, :27] = centre + (x - centre) * [1.05, 1, 1 / 1.05]


def cable_shakes(forgery):
    with forgery.trajectory() as t:
        t["velocity"][MIDDLE:, 1:9] += np.array([[0, 0, 3.0], [0, 0, -3.0]] * 4)


def rigid_body_sinks_into_the_floor(forgery):
    with forgery.trajectory() as t:
        t["position"][MIDDLE:, 0] -= [0, 0, 0.01]


def rigid_body_comes_through_a_plate(forgery):
    with forgery.trajectory() as t:
        t["position"][MIDDLE:, 2] -= [0, 0, 0.8]


def cable_sinks_into_a_pole(forgery):
    with forgery.trajectory() as t:
        t["points"][MIDDLE:, 9:] -= t["points"][MIDDLE, 15] - [0, 0.1, 0.1]


def cable_comes_through_a_cable(forgery):
    with forgery.trajectory() as t:
        t["points"][MIDDLE:, 9:] -= [0, 0, 0.1]


def soft_body_lies_in_a_soft_body(forgery):
    with forgery.trajectory() as t:
        t["points"][MIDDLE:, 27:] -= [0.33, -0.05, -0.05]


def soft_body_swells(forgery):
    _scale(forgery, 1.02)


def soft_body_shrinks(forgery):
    _scale(forgery, 0.98)


def _scale(forgery, factor):
    with forgery.trajectory() as t:
        x = t["points"][5:]
        centre = x.mean(axis=1, keepdims=True)
        t["points"][5:] = centre + factor * (x - centre)


def soft_body_is_inside_out(forgery):
    with forgery.trajectory() as t:
        x = t["points"][5:, :27]
        t["points"][5:, :27] = 2 * x.mean(axis=1, keepdims=True) - x


def ball_swells_slowly(forgery):
    with forgery.trajectory() as t:
        x = t["points"][:, 27:]
        centre = x.mean(axis=1, keepdims=True)
        factor = np.linspace(1, 1.03, len(x))[:, None, None]
        t["points"][:, 27:] = centre + factor * (x - centre)


def finger_presses_too_hard(forgery):
    with forgery.trajectory() as t:
        t["force"][_rows(t, 35)] *= 2.5


def finger_starts_too_fast(forgery):
    with forgery.trajectory() as t:
        finger = 1
        t["position"][5:, finger] += np.array([0.003, 0, 0])


FALSIFIED = [
    ("soft", all_forces_of_a_step_removed, "momentum"),
    ("rigid", all_forces_of_a_step_removed, "momentum"),
    ("rigid", forces_halved, "momentum"),
    ("soft", forces_turned, "momentum"),
    ("cables", force_of_a_mount_removed, "momentum"),
    ("free", soft_body_speeds_up, "momentum"),
    ("free", soft_body_spins, "energy"),
    ("rigid", rigid_body_spins_faster, "energy"),
    ("free", soft_body_is_stretched, "energy"),
    ("cables", cable_shakes, "energy"),
    ("rigid", rigid_body_sinks_into_the_floor, "overlap"),
    ("rigid", rigid_body_comes_through_a_plate, "crossing"),
    ("cables", cable_sinks_into_a_pole, "overlap"),
    ("cables", cable_comes_through_a_cable, "crossing"),
    ("free", soft_body_lies_in_a_soft_body, "overlap"),
    ("soft", soft_body_swells, "volume"),
    ("soft", soft_body_shrinks, "volume"),
    ("free", soft_body_is_inside_out, "volume"),
    ("free", ball_swells_slowly, "volume"),
    ("robot", finger_presses_too_hard, "effort"),
    ("robot", finger_starts_too_fast, "effort"),
]


@pytest.mark.parametrize("name", ["soft", "free", "rigid", "cables", "robot"])
def test_nothing_is_found_in_a_sound_run(runs, name):
    assert [finding.text() for finding in judge(Recording(runs[name]))] == []


@pytest.mark.parametrize("name, falsify, check", FALSIFIED, ids=[f"{f.__name__}-{n}" for n, f, _ in FALSIFIED])
def test_a_falsified_run_is_found(runs, tmp_path, name, falsify, check):
    forgery = Forgery(runs[name], tmp_path / "forged")
    falsify(forgery)
    assert check in {finding.check for finding in judge(Recording(forgery.directory))}


def test_a_run_without_every_step_is_not_judged(runs, tmp_path):
    forgery = Forgery(runs["rigid"], tmp_path / "forged")
    path = forgery.directory / "config.yaml"
    path.write_text(path.read_text().replace("step_s: 0.005", "step_s: 0.0025"))
    with pytest.raises(Unjudged, match="every step"):
        Recording(forgery.directory)


# Runs whose answers are known.


def test_a_free_body_has_the_momentum_of_free_fall(runs):
    """Implicit Euler: v_n = v_0 - n g h."""
    recording = Recording(runs["free"])
    body = recording.soft[0]
    assert body.mass.sum() == pytest.approx(1000 * 0.1**3)
    velocity = np.einsum("n,fnd->fd", body.mass, recording.velocity[:, body.points]) / body.mass.sum()
    n = np.arange(len(recording.times))
    np.testing.assert_allclose(velocity[:, 2], 1 - 9.81 * 0.005 * n, atol=1e-6)
    assert momentum.find(recording) == []


def test_the_energy_of_a_spinning_cube(runs):
    recording = Recording(runs["rigid"])
    cube = recording.rigid[2]
    inertia = 1 / 6 * 0.1**2
    np.testing.assert_allclose(cube.inertia, inertia * np.eye(3), atol=1e-15)
    np.testing.assert_allclose(rotational(recording, cube), inertia * 25 / 2, rtol=1e-9)


def test_friction_stops_a_sliding_block(runs):
    """Its impulse is the momentum at the start, and no force leaves the cone."""
    recording = Recording(runs["soft"])
    mass = recording.soft[0].mass.sum()
    forces = np.array([recording.contact_forces("box", step)[1].sum(axis=0) for step in range(1, recording.n_step + 1)])
    assert np.all(np.hypot(forces[:, 0], forces[:, 1]) <= 0.4 * forces[:, 2] + 1e-9)
    impulse = forces.sum(axis=0) * recording.step_s
    np.testing.assert_allclose(impulse, [-0.3 * mass, 0, 9.81 * mass * 0.3], atol=0.01 * mass)


def test_no_strain_is_unexplained_in_a_sound_run(runs):
    """Far below the bound of 1 %."""
    recording = Recording(runs["free"])
    for body in recording.soft:
        assert np.abs(volume.unexplained_strain(recording, body)).max() < 1e-4


def test_the_virial_is_the_growth_of_the_energy_with_the_size(runs):
    """d/ds U(s x) at s = 1, by central differences, for a random deformation."""
    recording = Recording(runs["free"])
    body = recording.soft[0]
    x = recording.points[0, body.points]
    x = x + 0.01 * np.random.default_rng(7).normal(size=x.shape)
    step = 1e-6
    energies = [elasticity.energy_and_virial(body, (1 + sign * step) * x)[0] for sign in (1, -1)]
    growth = (energies[0] - energies[1]) / (2 * step)
    assert elasticity.energy_and_virial(body, x)[1] == pytest.approx(growth, rel=1e-6)


def test_a_rotation_has_no_elastic_energy(runs):
    recording = Recording(runs["free"])
    body = recording.soft[0]
    x = recording.points[0, body.points]
    rotation = np.linalg.qr(np.random.default_rng(3).normal(size=(3, 3)))[0]
    rotation *= np.sign(np.linalg.det(rotation))
    turned, stretched = elasticity.energy_and_virial(body, x @ rotation.T), elasticity.energy_and_virial(body, 1.1 * x)
    assert turned[0] < 1e-12 * stretched[0]
