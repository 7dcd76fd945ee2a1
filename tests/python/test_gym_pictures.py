"""Pictures of Gymnasium environments: the camera stands still, and they show no contact unless asked."""

import numpy as np
import pytest
from built_package import SOURCE
from nodia_tools.fields import STATE_COLOURS

import nodia.gym

QUICK_LIFT = SOURCE / "scenarios/quick_lift/quick_lift.yaml"
FIRST, LAST = 20, 40  # control steps: the fingers hold the ball; it hangs 90 mm higher
SIZE = np.array([480, 360])


def of_hue(picture, colour, tolerance=0.004):
    """Pixels of a colour, whatever the light, (height, width)."""
    hue = picture / np.maximum(picture.sum(axis=-1, keepdims=True), 1)
    return np.abs(hue - colour / colour.sum()).max(axis=-1) < tolerance


def centroid(mask):
    """x, y [pixel]"""
    return np.argwhere(mask)[:, ::-1].mean(axis=0) + 0.5


def on_picture(camera, points):
    """x, y [pixel] of points (n, 3), by the definition of a perspective camera."""
    forward = camera.focal_point - camera.position
    forward /= np.linalg.norm(forward)
    right = np.cross(forward, camera.up)
    local = (points - camera.position) @ np.array([right, -camera.up, forward]).T
    scale = 0.5 * SIZE[1] / np.tan(np.radians(camera.view_angle_deg) / 2)
    return SIZE / 2 + scale * local[:, :2] / local[:, 2:]


@pytest.fixture(scope="module")
def lift():
    """Pictures of a lift with the nodes of the ball, by control step; with contact in the last one; the camera."""
    endless = {"task.success.above_m": 1}
    env = nodia.gym.ScenarioEnv(QUICK_LIFT, overrides=endless, render_mode="rgb_array", normalized=False, threads=1)
    camera = env._environments._view.camera
    observation, _ = env.reset(seed=5)
    taken = {0: (env.render(), observation["ball.nodes"])}
    for step in range(1, LAST + 1):
        observation, *_ = env.step(env.script_action())
        if step >= FIRST and step % 5 == 0:
            taken[step] = env.render(), observation["ball.nodes"]
    return taken, env.render(contacts=True), camera


def test_a_lift_moves_the_picture_of_the_ball_as_far_as_the_camera_projects_it(lift):
    taken, _, camera = lift
    before, nodes = taken[FIRST]
    for step in range(FIRST + 5, LAST + 1, 5):
        picture, moved = taken[step]
        seen = centroid(of_hue(picture, STATE_COLOURS[0])) - centroid(of_hue(before, STATE_COLOURS[0]))
        projected = on_picture(camera, moved).mean(axis=0) - on_picture(camera, nodes).mean(axis=0)
        assert np.abs(seen - projected).max() < 2, (step, seen, projected)
    assert np.linalg.norm(projected) > 30, "the ball is lifted by a good part of the picture"
    assert np.ptp(on_picture(camera, np.vstack([nodes for _, nodes in taken.values()])), axis=0).min() > 20
    inside = on_picture(camera, moved)
    assert (inside > 0).all() and (inside < SIZE).all()


def test_the_camera_stands_still_in_every_episode(lift):
    """Floor in the lower left corner, which nothing covers."""
    taken, *_ = lift
    corners = [picture[-60:, :60] for picture, _ in taken.values()]
    assert np.ptp(corners[0].astype(int), axis=(0, 1)).max() > 0, "lines of the floor"
    env = nodia.gym.ScenarioEnv(QUICK_LIFT, render_mode="rgb_array", threads=1)
    env.reset(seed=77)
    for corner in [*corners, env.render()[-60:, :60]]:
        np.testing.assert_array_equal(corner, corners[0])


def test_contact_is_coloured_on_request(lift):
    """The fingers hold the ball: contact sticks."""
    taken, with_contact, _ = lift
    last = taken[LAST][0]
    for colour in STATE_COLOURS[1:]:
        assert not of_hue(last, colour, 0.02).any()
    assert of_hue(with_contact, STATE_COLOURS[1], 0.02).sum() > 20
    differs = (with_contact != last).any(axis=-1)
    assert 0 < differs.mean() < 0.02, "contact, and nothing else"


def test_a_vector_environment_has_the_same_view():
    envs = nodia.gym.ScenarioVectorEnv(QUICK_LIFT, 2, render_mode="rgb_array", threads=1)
    envs.reset(seed=[5, 5])
    env = nodia.gym.ScenarioEnv(QUICK_LIFT, render_mode="rgb_array", threads=1)
    env.reset(seed=5)
    for picture in envs.render():
        np.testing.assert_array_equal(picture, env.render())
