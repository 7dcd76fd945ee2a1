"""Simulation.render(): what it draws, where; PNG files."""

import io

import numpy as np
import pytest
from PIL import Image

import nodia
from nodia import _core
from nodia.png import encode
from nodia_tools import palette


def near(picture, colour, within=6):
    """Share of the pixels of a colour."""
    return np.mean(np.abs(picture.astype(int) - palette.rgb(colour)).max(axis=-1) <= within)


def test_png_files_hold_the_pixels(tmp_path):
    picture = np.random.default_rng(1).integers(0, 256, (17, 23, 3), np.uint8)
    assert np.array_equal(np.asarray(Image.open(io.BytesIO(encode(picture)))), picture)


def test_a_picture_shows_body_and_floor_and_is_the_same_again(box, tmp_path):
    sim = nodia.Simulation(box)
    sim.step(5)
    picture = sim.render(tmp_path / "box.png", size=(320, 240))
    assert picture.shape == (240, 320, 3) and picture.dtype == np.uint8
    assert np.array_equal(np.asarray(Image.open(tmp_path / "box.png")), picture)
    assert near(picture, palette.FLOOR) > 0.2
    assert 0.1 < 1 - near(picture, palette.FLOOR) - near(picture, palette.FLOOR_LINE) - near(picture, palette.SHADOW) < 0.9
    assert np.array_equal(sim.render(size=(320, 240)), picture)
    assert np.array_equal(np.asarray(Image.open(io.BytesIO(nodia.Simulation(box)._repr_png_()))).shape, (480, 640, 3))


def test_what_is_in_front_hides_what_is_behind(box):
    """A wall between the eye and the box: seen from the other side the box is there."""
    del box["obstacles"]["floor"]
    box["bodies"]["box"]["position_m"] = [0, 0, 0]
    box["obstacles"]["wall"] = {"shape": "box", "size_m": [0.01, 1, 1], "position_m": [-0.2, 0, 0]}
    sim = nodia.Simulation(box)
    from nodia_tools.fields import STATE_COLOURS

    def body(direction):
        picture = sim.render(size=(160, 160), direction=direction) / 255
        hue = picture / np.maximum(picture.sum(axis=-1, keepdims=True), 1e-9)
        own = STATE_COLOURS[0] / STATE_COLOURS[0].sum()
        return np.mean(np.abs(hue - own).max(axis=-1) < 0.004)

    assert body([1, 0, -0.1]) == 0, "behind the wall"
    assert body([-1, 0, -0.1]) > 0.02


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"path": "a.jpg"}, "must end in .png"),
        ({"size": (8, 100)}, "must be from 16"),
        ({"direction": (0, 0, -1)}, "not vertical"),
        ({"direction": (np.nan, 0, 0)}, "must be three numbers"),
        ({"direction": (1, 0)}, "must be three numbers"),
    ],
)
def test_bad_arguments(box, arguments, words):
    with pytest.raises(nodia.InputError, match=words):
        nodia.Simulation(box).render(**arguments)


def drawn(points, colours=((1, 0, 0),) * 3, size=(8, 8), faces=((0, 1, 2),)):
    image, nearness = np.zeros((*size, 3), np.float32), np.zeros(size, np.float32)
    _core.draw_triangles(
        image, nearness, np.array(points, float), np.array(colours, float), np.array(faces, np.int32)
    )
    return image, nearness


def test_a_triangle_covers_the_pixels_whose_centres_lie_in_it():
    image, nearness = drawn([(0, 0, 2), (8, 0, 2), (0, 8, 2)])
    rows, columns = np.mgrid[:8, :8]
    inside = (rows + 0.5) + (columns + 0.5) <= 8
    assert np.array_equal(image[..., 0] == 1, inside)
    assert np.allclose(nearness, np.where(inside, 2, 0))


def test_either_turn_of_a_triangle_is_drawn_and_colours_are_linear():
    colours = np.eye(3)
    there, _ = drawn([(0, 0, 1), (8, 0, 1), (0, 8, 1)], colours)
    back, _ = drawn([(0, 0, 1), (0, 8, 1), (8, 0, 1)], colours[[0, 2, 1]])
    assert np.allclose(there, back)
    assert np.allclose(there[2, 3], [1 - 3.5 / 8 - 2.5 / 8, 3.5 / 8, 2.5 / 8])


def test_triangles_that_share_an_edge_leave_no_hole():
    corners = [(-3, -2, 1), (11, 1, 1), (9, 12, 1), (-4, 9, 1)]
    image, _ = drawn(corners, [(1, 1, 1)] * 4, faces=((0, 1, 2), (0, 2, 3)))
    assert image.min() == 1


@pytest.mark.parametrize("z", [0, -1, np.nan, np.inf])
def test_what_has_no_depth_is_left_out(z):
    assert drawn([(0, 0, 1), (8, 0, z), (0, 8, 1)])[0].max() == 0


def test_far_beyond_the_picture():
    assert drawn([(-1e300, -1e300, 1), (1e300, 0, 1), (0, 1e300, 1)])[0].shape == (8, 8, 3)
    assert drawn([(100, 100, 1), (200, 100, 1), (100, 200, 1)])[0].max() == 0


def test_faces_of_no_points_are_refused():
    with pytest.raises(nodia.InputError, match="faces"):
        drawn([(0, 0, 1), (8, 0, 1), (0, 8, 1)], faces=((0, 1, 3),))


def test_pictures_of_runs_need_the_extra(monkeypatch, tmp_path):
    monkeypatch.setattr("nodia.pictures.EXTRA", ("numpy", "no_such_package"))
    for make in (nodia.render, nodia.view):
        with pytest.raises(ImportError, match=r"no_such_package .*pip install 'nodia\[render\]'"):
            make(tmp_path)
    monkeypatch.undo()
    with pytest.raises(nodia.InputError, match="trajectory"):
        nodia.render(tmp_path)
