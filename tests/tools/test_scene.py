"""Obstacles and grips from config.yaml, their motion, and the camera that must see them."""

import numpy as np
import pytest
from synthetic_run import write_run

from nodia_tools.camera import Camera, places_to_see, side_view
from nodia_tools.command_line import InputError
from nodia_tools.scene import Motion, grip_bar, held_nodes, load_scene, rotation_matrix
from nodia_tools.surface import Surface
from nodia_tools.trajectory import open_trajectory


def test_minimum_jerk_between_keyframes():
    motion = Motion([0, 0, 0], [1, 0, 0, 0], [(1.0, [1, 0, 0], None), (3.0, [3, 0, 4], None)])
    np.testing.assert_array_equal(motion.at(0)[0], [1, 0, 0])
    np.testing.assert_array_equal(motion.at(9)[0], [3, 0, 4])
    np.testing.assert_allclose(motion.at(2)[0], [2, 0, 2], atol=1e-15)
    s = 0.2
    share = 10 * s**3 - 15 * s**4 + 6 * s**5
    np.testing.assert_allclose(motion.at(1 + 2 * s)[0], [1 + 2 * share, 0, 4 * share], atol=1e-15)


@pytest.mark.parametrize(("ease", "share"), [("none", 0.25), ("minimum_jerk", 53 / 512)])
def test_a_path_goes_at_constant_speed_without_ease(tmp_path, ease, share):
    (tmp_path / "config.yaml").write_text(
        f"name: moved\nobstacles:\n  wall: {{shape: sphere, radius_m: 1, ease: {ease}, path: "
        "[{time_s: 1, position_m: [0, 0, 0]}, {time_s: 3, position_m: [4, 0, 0]}]}\n"
    )
    position, _ = load_scene(tmp_path).obstacles[0].path.at(1.5)
    assert position[0] == pytest.approx(4 * share)


def test_rotation_takes_the_shortest_arc():
    quarter = [np.sqrt(0.5), 0, 0, np.sqrt(0.5)]
    for sign in (1, -1):
        motion = Motion(
            [0, 0, 0], [1, 0, 0, 0], [(0, None, None), (2, None, sign * np.array(quarter))]
        )
        turned = motion.to_world(np.array([[1.0, 0, 0]]), 1.0)
        np.testing.assert_allclose(turned, [[np.sqrt(0.5), np.sqrt(0.5), 0]], atol=1e-12)


def test_keys_left_out_are_as_in_the_key_before():
    motion = Motion(
        [1, 2, 3], [1, 0, 0, 0], [(0, None, None), (1, [5, 5, 5], None), (2, None, [0, 1, 0, 0])]
    )
    np.testing.assert_array_equal(motion.at(0)[0], [1, 2, 3])
    np.testing.assert_array_equal(motion.at(2)[0], [5, 5, 5])
    np.testing.assert_array_equal(motion.at(2)[1], [0, 1, 0, 0])


def test_world_and_local_are_inverse():
    rng = np.random.default_rng(7)
    points, wxyz = rng.normal(size=(5, 3)), rng.normal(size=4)
    motion = Motion([0.1, 0.2, 0.3], wxyz, [])
    np.testing.assert_allclose(motion.to_local(motion.to_world(points, 0), 0), points, atol=1e-14)
    rotation = rotation_matrix(wxyz)
    np.testing.assert_allclose(rotation @ rotation.T, np.eye(3), atol=1e-14)
    assert np.linalg.det(rotation) == pytest.approx(1)


def test_reads_every_shape(run_directory):
    scene = load_scene(run_directory)
    sizes = {
        o.name: None if o.mesh is None else np.ptp(o.mesh.vertices, axis=0) for o in scene.obstacles
    }
    assert scene.name == "synthetic"
    assert sizes["floor"] is None
    np.testing.assert_allclose(sizes["cylinder"], [0.08, 0.08, 0.4], atol=1e-3)
    np.testing.assert_allclose(sizes["box"], [0.05, 0.05, 0.05])
    np.testing.assert_allclose(sizes["sphere"], [0.06, 0.06, 0.06], atol=1e-3)
    np.testing.assert_allclose(sizes["capsule"], [0.04, 0.04, 0.1], atol=1e-3)


def test_reads_what_the_simulator_resolved(recorded_run):
    scene = load_scene(recorded_run)
    assert scene.name == "soft_mat"
    assert [obstacle.mesh is None for obstacle in scene.obstacles] == [True, False]
    assert [grip.path.moves for grip in scene.grips] == [True]


def test_an_environment_of_a_batch_has_its_own_scene(tmp_path):
    for name, radius in (("config.yaml", 0.1), ("config_env0003.yaml", 0.2)):
        text = f"name: n\nobstacles: {{ball: {{shape: sphere, radius_m: {radius}}}}}\n"
        (tmp_path / name).write_text(text, encoding="utf-8")
    for env, radius in ((0, 0.1), (3, 0.2)):
        (ball,) = load_scene(tmp_path, env).obstacles
        np.testing.assert_allclose(np.ptp(ball.mesh.vertices, axis=0), 2 * radius, atol=1e-2)


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "just words",
        "obstacles: {a: {shape: box}}",
        "obstacles: {a: {shape: sphere, radius_m: wide}}",
    ],
)
def test_refuses_broken_configurations(tmp_path, text):
    (tmp_path / "config.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match="config.yaml: not a scenario"):
        load_scene(tmp_path)


def test_refuses_the_configuration_of_a_newer_nodia(tmp_path):
    for version in (1, 2):
        text = f"format_version: {version}\nobstacles: {{a: {{shape: sphere, radius_m: 0.1}}}}\n"
        (tmp_path / "config.yaml").write_text(text, encoding="utf-8")
        if version == 1:
            assert len(load_scene(tmp_path).obstacles) == 1
        else:
            with pytest.raises(InputError, match="config.yaml: format version 2 .must be at most 1"):
                load_scene(tmp_path)


def test_a_grip_holds_the_edge_that_follows_it(run_directory):
    trajectory, scene = open_trajectory(run_directory), load_scene(run_directory)
    held = held_nodes(trajectory, scene.grips[0])
    start = trajectory.points(0)
    assert set(held) >= set(np.flatnonzero(start[:, 0] > 0.3 - 1e-9))
    assert start[held, 0].min() > 0.2
    vertices, faces = grip_bar(trajectory, scene.grips[0])
    assert vertices[:, 0].max() > 0.3 and len(faces) == 12


@pytest.mark.parametrize("aspect", [0.5, 1.3, 3.0])
def test_the_camera_sees_everything_and_stands_close(run_directory, aspect):
    trajectory, scene = open_trajectory(run_directory), load_scene(run_directory)
    surface = Surface(trajectory.points(0), trajectory.cells())
    places = places_to_see(trajectory, surface, scene)
    direction = side_view(trajectory)
    camera = Camera(direction, places, aspect, margin=1.0)
    right = np.cross(direction, camera.up)
    depth = (places - camera.position) @ direction
    tangent = np.tan(np.radians(camera.view_angle_deg) / 2)
    y = (places - camera.position) @ camera.up / (depth * tangent)
    x = (places - camera.position) @ right / (depth * tangent * aspect)
    assert depth.min() > 0
    assert max(np.abs(x).max(), np.abs(y).max()) == pytest.approx(1, abs=1e-6)
    for axis in (x, y):
        assert axis.max() == pytest.approx(-axis.min(), abs=1e-6)


def test_a_body_at_rest_is_seen_too(tmp_path):
    write_run(tmp_path, times=[0.0])
    assert np.isfinite(side_view(open_trajectory(tmp_path))).all()
