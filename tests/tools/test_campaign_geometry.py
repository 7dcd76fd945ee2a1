"""Geometry and masses of the campaign's checker against brute force, closed forms and other ways to compute them."""

import campaign_runs  # noqa: F401  (the search path)
import numpy as np
import pytest
import trimesh

from campaign import masses, shapes
from campaign.bodies import connected
from campaign.checks.crossing import segment_crossings
from campaign.poses import between, rotation_vectors, rotations
from campaign.scene_text import path_pose
from campaign.solids import distances_to_polyline
from campaign.triangles import TriangleMesh, boundary, distances, surface_stencil, winding_numbers
from campaign.urdf import read_urdf

SHAPES = [
    {"shape": "box", "size_m": [0.3, 0.2, 0.1]},
    {"shape": "sphere", "radius_m": 0.2},
    {"shape": "cylinder", "radius_m": 0.1, "length_m": 0.3},
    {"shape": "capsule", "radius_m": 0.1, "length_m": 0.3},
    {"shape": "torus", "radius_m": 0.2, "tube_radius_m": 0.05},
]
by_shape = pytest.mark.parametrize("shape", SHAPES, ids=[s["shape"] for s in SHAPES])


def tessellated(shape):
    """A fine mesh of a shape; its volume is smaller by at most 1 %."""
    if shape["shape"] == "box":
        return trimesh.creation.box(shape["size_m"])
    if shape["shape"] == "sphere":
        return trimesh.creation.icosphere(subdivisions=3, radius=shape["radius_m"])
    if shape["shape"] == "cylinder":
        return trimesh.creation.cylinder(shape["radius_m"], shape["length_m"], sections=64)
    if shape["shape"] == "capsule":
        return trimesh.creation.capsule(shape["length_m"], shape["radius_m"], count=[32, 32])
    return trimesh.creation.torus(shape["radius_m"], shape["tube_radius_m"], major_sections=64, minor_sections=32)


@by_shape
def test_masses_of_shapes_are_those_of_their_meshes(shape):
    mesh = tessellated(shape)
    exact, sampled = masses.of_shape(shape, 700), masses.of_triangles(mesh.vertices, mesh.faces, 700)
    assert sampled.mass == pytest.approx(exact.mass, rel=0.02)
    np.testing.assert_allclose(sampled.inertia, exact.inertia, rtol=0.03, atol=0.001 * exact.inertia.max())
    assert exact.mass == pytest.approx(700 * mesh.volume, rel=0.02)


@by_shape
def test_depths_of_shapes_are_those_of_their_meshes(shape):
    mesh = tessellated(shape)
    triangles = TriangleMesh(np.array(mesh.vertices), np.array(mesh.faces))
    points = np.random.default_rng(1).uniform(mesh.bounds[0], mesh.bounds[1], (200, 3))
    exact, found = shapes.depth(shape, points), triangles.depth(points, 0.0)
    inside = exact > 0.003
    assert inside.sum() > 20
    np.testing.assert_allclose(found[inside], exact[inside], atol=0.002)
    assert np.all(np.isneginf(found[exact < -0.003]))


@by_shape
def test_points_of_a_surface_are_on_it(shape):
    points = shapes.surface_points(shape)
    assert len(points) > 100
    np.testing.assert_allclose(shapes.depth(shape, points), 0, atol=1e-12)


def test_the_mass_of_a_moved_mesh_and_of_joined_parts():
    """A box cut in two has the mass, centre and inertia of the whole one."""
    whole = masses.of_shape({"shape": "box", "size_m": [0.2, 0.1, 0.1]}, 500)
    half = masses.of_shape({"shape": "box", "size_m": [0.1, 0.1, 0.1]}, 500)
    joined = masses.joined([(half, (np.array([x, 3.0, 2.0]), np.eye(3))) for x in (0.95, 1.05)])
    assert joined.mass == pytest.approx(whole.mass)
    np.testing.assert_allclose(joined.centre, [1, 3, 2])
    np.testing.assert_allclose(joined.inertia, whole.inertia, atol=1e-12)
    mesh = trimesh.creation.box([0.2, 0.1, 0.1])
    moved = masses.of_triangles(np.array(mesh.vertices) + [1, 3, 2], np.array(mesh.faces), 500)
    np.testing.assert_allclose(moved.centre, [1, 3, 2])
    np.testing.assert_allclose(moved.inertia, whole.inertia, atol=1e-12)


def test_distances_are_the_least_of_many_points_of_the_triangle():
    random = np.random.default_rng(2)
    for _ in range(20):
        a, b, c = random.normal(size=(3, 1, 3))
        point = random.normal(size=(1, 3))
        u, v = np.meshgrid(np.linspace(0, 1, 201), np.linspace(0, 1, 201))
        inside = u + v <= 1
        samples = a + u[inside][:, None] * (b - a) + v[inside][:, None] * (c - a)
        least = np.linalg.norm(samples - point, axis=1).min()
        assert distances(point, a, b, c)[0] == pytest.approx(least, abs=0.02)
        assert distances(point, a, b, c)[0] <= least + 1e-12


def test_winding_numbers_are_one_inside_and_zero_outside():
    mesh = tessellated(SHAPES[4])
    corners = [mesh.vertices[mesh.faces[:, k]] for k in range(3)]
    points = np.array([[0.2, 0, 0], [0, -0.21, 0.01], [0, 0, 0], [1, 1, 1]])
    np.testing.assert_allclose(winding_numbers(points, *corners), [1, 1, 0, 0], atol=1e-9)


def test_the_boundary_of_two_tetrahedra_faces_outward():
    points = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1.0]])
    tets = np.array([[0, 1, 2, 3], [1, 4, 2, 3]])
    assert np.all(np.linalg.det(points[tets[:, 1:]] - points[tets[:, :1]]) > 0)
    faces = boundary(tets)
    assert len(faces) == 6
    volume = np.linalg.det(points[tets[:, 1:]] - points[tets[:, :1]]).sum()
    assert np.linalg.det(points[faces]).sum() == pytest.approx(volume)


def test_surface_points_lie_on_vertices_edges_and_faces():
    nodes, weights = surface_stencil(np.array([[0, 1, 2], [0, 2, 3]]), 2)
    assert len(nodes) == 4 + 5 + 2
    np.testing.assert_allclose(weights.sum(axis=1), 1)


def test_connected_parts_are_numbered_in_order():
    tets = np.array([[0, 1, 2, 3], [4, 5, 6, 7], [3, 2, 1, 8]])
    np.testing.assert_array_equal(connected(tets, 9), [0, 0, 0, 0, 1, 1, 1, 1, 0])


@pytest.mark.parametrize("angle", [1e-9, 0.3, 3.0])
def test_rotation_vectors_turn_poses_into_each_other(angle):
    random = np.random.default_rng(4)
    before = random.normal(size=4)
    before /= np.linalg.norm(before)
    axis = np.array([2, -1, 2]) / 3
    w, v = np.cos(angle / 2), np.sin(angle / 2) * axis
    after = np.array([w * before[0] - v @ before[1:], *(w * before[1:] + before[0] * v + np.cross(v, before[1:]))])
    np.testing.assert_allclose(rotation_vectors(before, after), angle * axis, atol=1e-12)
    np.testing.assert_allclose(rotation_vectors(before, -after), angle * axis, atol=1e-12)
    half = between((np.zeros(3), before), (np.ones(3), after), 0.5)
    np.testing.assert_allclose(rotation_vectors(before, half[1]), angle / 2 * axis, atol=1e-9)
    np.testing.assert_allclose(half[0], 0.5)
    np.testing.assert_allclose(rotations(after) @ rotations(before).T @ axis, axis, atol=1e-12)


def test_a_path_is_at_rest_in_its_keyframes():
    entry = {"path": [{"time_s": "1", "position_m": ["0", "0", "0"]}, {"time_s": "3", "position_m": ["4", "0", "0"]}]}
    assert path_pose(entry, 0)[0][0] == 0
    assert path_pose(entry, 2)[0][0] == pytest.approx(2)
    assert path_pose(entry, 9)[0][0] == 4
    assert path_pose(entry, 1.01)[0][0] == pytest.approx(4 * 10 * 0.005**3, rel=0.1)
    assert path_pose(entry | {"ease": "none"}, 1.5)[0][0] == pytest.approx(1)


def test_distances_to_a_polyline():
    polyline = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0.0]])
    points = np.array([[0.5, 0, 2], [1, 2, 0], [-3, 4, 0.0]])
    np.testing.assert_allclose(distances_to_polyline(points, polyline), [4, 1, 25])


def test_cables_cross_where_they_meet_and_only_there():
    x = np.array([[-1, 0, 0], [0, 0, 0.0], [1, 0, 0]])
    y = np.array([[0.5, -1, 0.2], [0.5, 1, 0.2]])
    down = y - [0, 0, 0.4]
    assert segment_crossings(x, x, y, down) == 1
    assert segment_crossings(x, x, y, y - [0, 0, 0.1]) == 0
    beside = y + [0, 1.5, 0]
    assert segment_crossings(x, x, beside, beside - [0, 0, 0.4]) == 0
    # it passes through, and back within the same step it does not
    assert segment_crossings(x + [0, 0, 0.4], x, y, y) == 1


def test_a_urdf_file_is_read(tmp_path):
    path = tmp_path / "pusher.urdf"
    path.write_text(campaign_runs.URDF)
    links, joints = read_urdf(path)
    assert links["finger"].mass == 0.5 and links["base"].mass == 0
    np.testing.assert_allclose(links["finger"].inertia, 1e-3 * np.eye(3))
    slide = joints["slide"]
    assert (slide.kind, slide.parent, slide.child, slide.effort, slide.lower, slide.upper) == ("prismatic", "base", "finger", 5, -0.1, 0.2)
