"""The viewer serves its page, stops at a signal, and sends whole time steps."""

import asyncio
import contextlib
import itertools
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request

import msgspec
import numpy as np
import pytest
import viser
import zstandard
from synthetic_run import pose, write_hopping_run, write_run
from tool_environment import tool_environment
from websockets.sync.client import connect

from nodia_tools.fields import FIELDS
from nodia_tools.grid_lines import grid_lines
from nodia_tools.scene import load_scene
from nodia_tools.trajectory import open_trajectory
from nodia_tools.view import Viewer


@pytest.mark.parametrize(
    "field, stop", [("contact_state", signal.SIGINT), ("von_mises_Pa", signal.SIGTERM)]
)
def test_serves_and_stops(run_directory, field, stop):
    words = [
        sys.executable,
        "-m",
        "nodia_tools.view",
        str(run_directory),
        "--port",
        "28080",
        "--no-open",
        "--field",
        field,
    ]
    viewer = subprocess.Popen(
        words, env=tool_environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        url = re.match(r"http://127\.0\.0\.1:\d+", viewer.stdout.readline()).group()
        with urllib.request.urlopen(url, timeout=20) as page:
            assert page.status == 200
            assert b"<html" in page.read(4096).lower()
        viewer.send_signal(stop)
        rest, errors = viewer.communicate(timeout=30)
    finally:
        viewer.kill()
    assert viewer.returncode == 0, errors
    assert (rest, errors) == ("", "")


@contextlib.contextmanager
def viewer_of(directory, port):
    """A viewer without a browser, and its port."""
    server = viser.ViserServer("127.0.0.1", port, verbose=False)
    try:
        trajectory = open_trajectory(directory)
        viewer = Viewer(server, trajectory, load_scene(directory, trajectory), "contact_state")
        yield viewer, server.get_port()
    finally:
        server.stop()


def test_meshes_of_all_colours_together_are_the_whole_surface(run_directory):
    with viewer_of(run_directory, 28180) as (viewer, _):
        for field in FIELDS:
            for time_s in (0.0, 1.234, 2.0):
                viewer.draw(time_s, field)
                shown = [mesh for mesh in viewer._body._meshes if mesh.visible]
                assert sum(len(mesh.faces) for mesh in shown) == len(viewer._surface.faces)


class SlowClient:
    """A browser's side of the connection that is slow to receive: the state that it would draw."""

    def __init__(self, connection):
        self._connection = connection
        self.meshes = {}  # name: {"vertices": [n, 3], "faces": [m, 3]}
        self.time_s = None
        self._slider = None

    def receive(self):
        """Applies the messages that the server sends together."""
        for message in decoded(self._connection.recv(timeout=20)):
            kind, name = message["type"], message.get("name")
            if kind == "MeshMessage":
                self.meshes[name] = dict(message["props"])
            elif kind == "SceneNodeUpdateMessage" and name in self.meshes:
                self.meshes[name].update(message["updates"])
            elif kind == "GuiSliderMessage" and self._slider is None:  # the time line is the first
                self._slider, self.time_s = message["uuid"], message["value"]
            elif kind == "GuiUpdateMessage" and message["uuid"] == self._slider:
                self.time_s = message["updates"].get("value", self.time_s)

    def body(self):
        """Meshes of the body that have faces."""
        return [m for name, m in self.meshes.items() if name.startswith("/body/") and len(m["faces"])]


def decoded(raw):
    """Messages in the format of viser.infra._infra._message_producer, arrays as [n, 3]."""
    size, compressed_size = np.frombuffer(raw[:16], np.uint64).astype(int)
    packed = zstandard.ZstdDecompressor().decompress(raw[16 : 16 + compressed_size], size)
    content = msgspec.msgpack.decode(packed)
    arrays, offset = [], 16 + compressed_size
    for length in content["binaryBufferLengths"]:
        offset += -offset % 8
        arrays.append(raw[offset : offset + length])
        offset += length
    for message in content["messages"]:
        values = message.get("props") or message.get("updates") or {}
        for key in {"vertices", "faces"} & values.keys():
            kind = np.float32 if key == "vertices" else np.uint32
            values[key] = np.frombuffer(arrays[values[key]["__binary_index"]], kind).reshape(-1, 3)
    return content["messages"]


def expect_one_time_step(client, viewer, grip):
    """The whole surface and the grip stand where they are at the time on the slider."""
    expected = viewer._surface.vertices(viewer._trajectory.points_at(client.time_s)).astype(np.float32)
    assert sum(len(mesh["faces"]) for mesh in client.body()) == len(viewer._surface.faces)
    for mesh in client.body():
        np.testing.assert_array_equal(mesh["vertices"], expected)
    bar, motion = grip
    held = motion.to_world(bar, client.time_s).astype(np.float32)
    np.testing.assert_array_equal(client.meshes["/grips/grip"]["vertices"], held)


@pytest.mark.parametrize("field", ["contact_state", "von_mises_Pa"])
def test_a_slow_client_gets_whole_time_steps(tmp_path, field):
    """The server draws more often than it sends. One client is there from the start, the others join later.

    Drawing in all colours first gives every mesh something to send to a new client: more than 128 messages.
    """
    write_hopping_run(tmp_path)
    with viewer_of(tmp_path, 28200) as (viewer, port), contextlib.ExitStack() as connections:
        for name, time_s in itertools.product([*FIELDS, field], np.linspace(0, 5, 21)):
            viewer.draw(float(time_s), name)
        ((_, bar, motion),) = viewer._moving
        end = threading.Event()

        def draw_all():
            for time_s in itertools.cycle(np.linspace(0, 5, 397)):
                if end.is_set():
                    return
                viewer.draw(float(time_s), field)
                time.sleep(0.005)

        drawing = threading.Thread(target=draw_all)
        clients, times = [], set()
        try:
            for k in range(45):
                if k % 15 == 0:
                    url, protocol = f"ws://127.0.0.1:{port}", f"viser-v{viser.__version__}"
                    connection = connect(url, subprotocols=[protocol], compression=None, max_queue=1, close_timeout=0)
                    clients.append(SlowClient(connections.enter_context(connection)))
                if k == 0:
                    clients[0].receive()
                    expect_one_time_step(clients[0], viewer, (bar, motion))
                    drawing.start()
                for client in clients:
                    client.receive()
                    expect_one_time_step(client, viewer, (bar, motion))
                    times.add(client.time_s)
        finally:
            end.set()
            drawing.join()
    assert len(times) > 30


@pytest.fixture
def frequent_thread_switches():
    """Python switches threads 500 times as often as usual. A busy machine interrupts a thread anywhere, too."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(usual / 500)
    yield
    sys.setswitchinterval(usual)


@pytest.mark.usefixtures("frequent_thread_switches")
def test_the_event_loop_never_sees_a_part_of_a_time_step(tmp_path):
    """viser collects the messages for a browser between two tasks of its event loop."""
    write_hopping_run(tmp_path)
    with viewer_of(tmp_path, 28240) as (viewer, _):
        ((grip, bar, motion),) = viewer._moving
        seen, end = {}, threading.Event()

        async def look():
            while not end.is_set():
                body = [mesh for mesh in viewer._body._meshes if len(mesh.faces)]
                places = {tuple(mesh.vertices[0].tolist()) for mesh in body}
                state = places, sum(len(mesh.faces) for mesh in body), tuple(grip.vertices[0].tolist())
                seen.setdefault(viewer._slider.value, []).append(state)
                await asyncio.sleep(0)

        looking = asyncio.run_coroutine_threadsafe(look(), viewer._server.get_event_loop())
        times = [float(t) for t in np.linspace(0.5, 5, 60)]
        for time_s in times:
            viewer.draw(time_s, "contact_state")
        end.set()
        looking.result()
        assert len(seen.keys() & set(times)) > 30
        for time_s, states in seen.items():
            place = viewer._surface.vertices(viewer._trajectory.points_at(time_s))[0].astype(np.float32)
            held = motion.to_world(bar, time_s)[0].astype(np.float32)
            expected = {tuple(place.tolist())}, len(viewer._surface.faces), tuple(held.tolist())
            assert all(state == expected for state in states), time_s


def test_a_floor_that_moves_is_moved_by_its_vertices(tmp_path):
    """A browser applies a new pose one picture before it applies new vertices."""
    sinking = (pose("obstacle", "floor"), lambda t: ([0, 0, -0.03 * t], 0))
    write_run(tmp_path, config=False, surroundings=[sinking])
    (tmp_path / "config.yaml").write_text("obstacles: {floor: {shape: half_space}}\n")
    with viewer_of(tmp_path, 28220) as (viewer, _):
        heights = {}
        for time_s in (0.0, 2.0):
            viewer.draw(time_s, "contact_state")
            for mesh, _, _ in viewer._moving:
                assert np.ptp(mesh.vertices[:, 2]) < 1e-6 and np.ptp(mesh.vertices[:, 0]) > 1
                heights.setdefault(mesh.name, []).append(mesh.vertices[0, 2])
        assert set(heights) == {"/obstacles/floor/plane", "/obstacles/floor/lines"}
        for before, after in heights.values():
            assert after - before == pytest.approx(-0.06, abs=1e-6)


def test_lines_of_a_grid():
    vertices, faces = grid_lines(size=4.0, cell=0.5, width=0.1)
    corners = vertices[faces]
    area = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1) / 2
    assert area.sum() == pytest.approx(2 * 9 * 4.0 * 0.1)
    assert np.abs(vertices).max() == pytest.approx(2.05)
    centres = vertices.reshape(-1, 4, 3).mean(axis=1)
    np.testing.assert_allclose(np.unique(centres[:9, 1]), np.arange(-2, 2.1, 0.5))
    np.testing.assert_allclose(np.unique(centres[9:, 0]), np.arange(-2, 2.1, 0.5))


def test_taken_ports_are_passed_over_up_to_the_last(run_tool, run_directory):
    """65535 is the last: nothing is left to try behind it."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 65535))
        taken.listen()
        done = run_tool("view", run_directory, "--no-open", "--port", 65535)
    assert done.returncode == 2
    assert done.stderr == "nodia view: --port = 65535 (must be free; all up to 65535 are taken)\n"


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["missing"], "missing"),
        (["RUN", "--port", "70000"], "--port = 70000"),
        (["RUN", "--port", "x"], "invalid int value"),
        (["RUN", "--host", "999.1.1.1"], "--host = 999.1.1.1 (must be an address to listen on"),
        (["RUN", "--host", ""], "--host = "),
        (["RUN", "--host", "192.0.2.1"], "--host = 192.0.2.1 (must be an address of this machine"),
        (["RUN", "--field", "colour"], "--field = colour"),
    ],
)
def test_bad_input_gives_one_line_and_2(run_tool, run_directory, arguments, message):
    done = run_tool("view", *[word.replace("RUN", str(run_directory)) for word in arguments])
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
