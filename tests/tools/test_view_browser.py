"""The viewer in a real browser: what it draws is what the moment holds."""

import subprocess
import time

import numpy as np
import pytest
from browser import needs_chromium, wait_until
from matplotlib import colormaps
from nodia_command import SOURCE
from PIL import Image, ImageFilter
from synthetic_run import write_hopping_run
from viewer_page import viewer_page

from nodia_tools.coloured_surface import N_SHADE
from nodia_tools.fields import STATE_COLOURS, STATE_NAMES, FieldOnSurface, field_named
from nodia_tools.scene import load_scene
from nodia_tools.surface import Surface
from nodia_tools.trajectory import open_trajectory

pytestmark = needs_chromium

OPEN, STICK, SLIP = range(3)
N_PICTURES = 10  # the tests of pictures need more than this many
HEX = ["".join(f"{round(255 * c):02x}" for c in colour) for colour in STATE_COLOURS]


class Run:
    """A run as its files tell it; `front` is a vertex in the grip."""

    def __init__(self, directory):
        self.directory = directory
        self.trajectory = open_trajectory(directory)
        self.surface = Surface(self.trajectory.points(0), self.trajectory.cells(0))
        self.front = int(np.argmax(self.surface.vertices(self.trajectory.points(0))[:, 0]))
        step_s = load_scene(directory, self.trajectory).step_s
        self._states = FieldOnSurface(field_named("contact_state"), self.trajectory, self.surface, step_s)

    def triangles(self, time_s):
        """Corners of the faces at a moment by contact state, each [n, 3, 3]."""
        vertices = self.surface.vertices(self.trajectory.points_at(time_s))
        of_faces = self._states.values(self.trajectory.nearest(time_s))
        return [vertices[self.surface.faces[of_faces == state]] for state in (OPEN, STICK, SLIP)]


def _seen(corners, labels, shape):
    """The label of the nearest face in each pixel; nothing: -1.

    @param corners  x, y and distance (above 0) of the corners of all faces [n, 3, 3]
    @param labels   of the faces [n]
    """
    nearest, seen = np.zeros(shape), np.full(shape, -1)
    for (a, b, c), label in zip(corners, labels):
        low = np.maximum(np.floor(np.minimum(np.minimum(a, b), c)[:2]).astype(int), 0)
        high = np.minimum(np.maximum(np.maximum(a, b), c)[:2].astype(int) + 1, shape[::-1])
        area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
        if area == 0 or (low >= high).any():
            continue
        box = np.s_[low[1] : high[1], low[0] : high[0]]
        y, x = np.mgrid[box]
        x, y = x + 0.5, y + 0.5
        v = ((x - a[0]) * (c[1] - a[1]) - (y - a[1]) * (c[0] - a[0])) / area
        w = ((b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0])) / area
        closeness = (1 - v - w) / a[2] + v / b[2] + w / c[2]
        inside = (v >= 0) & (w >= 0) & (v + w <= 1) & (closeness > nearest[box])
        nearest[box][inside] = closeness[inside]
        seen[box][inside] = label
    return seen


def _grown(mask, pixels):
    picture = Image.fromarray(255 * mask.astype(np.uint8))
    return np.asarray(picture.filter(ImageFilter.MaxFilter(2 * pixels + 1))) > 0


def _inner(mask, pixels):
    return ~_grown(~mask, pixels)


def _of_hue(pixels, colour):
    """Pixels of a colour, whatever the light."""
    cosine = pixels @ colour / np.linalg.norm(colour)
    length = np.linalg.norm(pixels, axis=2)
    return (cosine > 0.985 * length) & (length > 0.2)


def _disagreement(page, run):
    """What the page draws otherwise than the moment on its time line has it; "" for nothing."""
    expected = run.triangles(page.time_s())
    held = page.triangles()
    for state, corners in enumerate(expected):
        drawn = held.get(HEX[state], np.zeros((0, 3, 3)))
        if drawn.shape != corners.shape:
            name = STATE_NAMES[state]
            return f"{len(drawn)} faces of {name} in the scene, {len(corners)} in the run"
        if len(corners) and np.abs(drawn - corners).max() > 1e-6:
            return f"faces of {STATE_NAMES[state]} stand {np.abs(drawn - corners).max()} m off"
    pixels = page.pixels()
    around = [corners for colour, corners in held.items() if colour not in HEX]
    parts = expected + around
    labels = np.repeat(np.arange(len(parts)), [len(corners) for corners in parts])
    corners = np.concatenate(parts).reshape(-1, 3)
    on_canvas = page.on_canvas(corners, pixels.shape).reshape(-1, 3, 3)
    seen = _seen(on_canvas, labels, pixels.shape[:2])
    for state in (STICK, SLIP):
        drawn = _of_hue(pixels, STATE_COLOURS[state])
        ghosts = np.count_nonzero(_inner(drawn, 1) & ~_grown(seen == state, 3))
        if ghosts > 0:
            return f"{ghosts} pixels of {STATE_NAMES[state]} where the run has none"
        missing = np.count_nonzero(_inner(seen == state, 2) & ~_grown(drawn, 3))
        if missing > 0:
            return f"no {STATE_NAMES[state]} on {missing} pixels where the run has it"
    return ""


def _expect_moment(page, run):
    """Soon after the page has come to rest: it draws a last time within a second."""
    why = []

    def agrees():
        why.append(_disagreement(page, run))
        return not why[-1]

    try:
        wait_until(agrees, "the moment")
    except AssertionError:
        raise AssertionError(f"at {page.time_s()} s: {why[-1]}") from None


def _expect_whole_pictures(pictures, run):
    """Each shows the whole surface once, at one moment, and the grip at the same one."""
    assert len(pictures) > N_PICTURES
    apart = [np.linalg.norm(grip - bodies[0, 1:]) for bodies, grip in pictures]
    for number, (bodies, _) in enumerate(pictures):
        what = f"picture {number} of {len(pictures)}: {bodies.tolist()}"
        assert bodies[:, 0].sum() == len(run.surface.faces), f"{what}: not the surface once"
        assert np.ptp(bodies[:, 1:], axis=0).max() == 0, f"{what}: colours of several moments"
    assert np.ptp(apart) < 5e-3, "the grip is drawn at another moment than what it holds"


def _expect_five_moments(page, run, times):
    """At each, after playing up to it and after jumping to it."""
    page.set_play(False)
    page.jump_to(0)
    for time_s in times:
        page.set_play(True)
        wait_until(lambda: page.time_s() >= time_s, f"{time_s} s")
        page.set_play(False)
        _expect_moment(page, run)
    for time_s in times[::-1]:
        page.jump_to(time_s)
        _expect_moment(page, run)


@pytest.fixture(scope="module")
def hopping(tmp_path_factory):
    directory = tmp_path_factory.mktemp("hopping")
    write_hopping_run(directory)
    return Run(directory)


@pytest.fixture(scope="module")
def hopping_page(hopping):
    with viewer_page(hopping.directory, 28480) as page:
        yield page


@pytest.fixture
def page(hopping_page):
    """Whatever a test does in it, its console has no error."""
    yield hopping_page
    assert hopping_page.browser.errors() == []


def test_panel_is_there(page, hopping):
    text = page.text()
    for word in ("hopping", "time [s]", "play", "playback speed", "colour", *STATE_NAMES):
        assert word in text, text
    assert page.plays()


def test_draws_what_the_moment_holds(page, hopping):
    times = (0.8, 1.75, 2.15, 2.75, 4.0)
    states = [{state for state in range(3) if len(hopping.triangles(t)[state])} for t in times]
    assert states == [{OPEN, SLIP}, {OPEN, STICK}, {OPEN, STICK}, {OPEN}, {OPEN, SLIP}], "the rim is open"
    _expect_five_moments(page, hopping, times)


@pytest.mark.parametrize("slower", [1, 6])
def test_draws_one_time_step_in_each_picture_while_it_plays(page, hopping, slower):
    """The scripts of the page run `slower` times as slowly as this machine could run them.

    A busy machine draws few pictures while the run plays once, so the test plays it again.
    """
    page.watch_pictures(hopping.front)
    with page.slowed_down(slower):
        for _ in range(10):
            page.set_play(False)
            page.jump_to(1.5)
            page.set_play(True)
            wait_until(lambda: page.time_s() > 4, "the end")
            page.set_play(False)
            if len(page.pictures()) > N_PICTURES:
                break
    _expect_whole_pictures(page.pictures(), hopping)


def test_slider_and_play_move_the_time(page, hopping):
    page.set_play(False)
    page.click_slider(0.5)
    wait_until(lambda: abs(page.time_s() - 2.5) < 0.1, "the middle of the time line")
    _expect_moment(page, hopping)
    still = page.time_s()
    page.set_play(True)
    wait_until(lambda: page.time_s() > still + 0.5, "half a second more")
    page.set_play(False)
    _expect_moment(page, hopping)


def test_slider_agrees_with_the_scene_where_the_page_lags(page, hopping):
    """Times that the server told before it heard of a jump come behind the jump."""
    page.set_play(False)
    page.jump_to(0)
    page.set_play(True)
    wait_until(lambda: page.time_s() > 0.5, "half a second")
    with page.lagging():
        time.sleep(0.3)
        page.set_play(False)
        page.click_slider(0.9)
        wait_until(lambda: abs(page.time_s() - 4.5) < 0.1, "the jump")
    time.sleep(0.5)  # until the panel shows what was held back
    wait_until(lambda: abs(page.time_s() - 4.5) < 0.1, "the jump again")
    _expect_moment(page, hopping)


def test_colours_change_with_the_choice(page, hopping):
    page.set_play(False)
    page.jump_to(2.15)
    for name in ("von_mises_Pa", "speed"):
        page.choose_colour(name)
        field = field_named(name)
        palette = {
            "".join(f"{round(255 * c):02x}" for c in colour[:3])
            for colour in colormaps[field.colour_map](np.linspace(0, 1, N_SHADE))
        }
        wait_until(lambda: field.title in page.text(), f"the legend of {name}")
        wait_until(lambda: not set(HEX) & set(page.triangles()), f"the colours of {name}")
        shades = {hex: part for hex, part in page.triangles().items() if hex in palette}
        assert len(shades) > 1
        assert sum(map(len, shades.values())) == len(hopping.surface.faces)
    page.choose_colour("contact_state")
    _expect_moment(page, hopping)


def test_soft_mat_leaves_no_ghosts(nodia, tmp_path):
    """It slips over the floor, hangs free and touches the cylinder after 4 s."""
    directory = tmp_path / "soft_mat"
    words = [nodia, "run", SOURCE / "scenarios/soft_mat/soft_mat.yaml", "--out", directory]
    subprocess.run([str(word) for word in words], check=True, capture_output=True, timeout=300)
    run = Run(directory)
    with viewer_page(directory, 28490) as page:
        page.watch_pictures(run.front)
        _expect_five_moments(page, run, (1.0, 2.4, 3.6, 4.5, 5.5))
        _expect_whole_pictures(page.pictures(), run)
        assert page.browser.errors() == []
