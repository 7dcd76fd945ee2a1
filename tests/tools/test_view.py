"""The viewer serves its page on this machine, and stops when told."""

import re
import signal
import socket
import subprocess
import sys
import urllib.request

import pytest
from tool_environment import tool_environment

from nodia_tools.fields import FIELDS


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


def test_shows_every_moment_in_every_colour(run_directory):
    """Without a browser: the meshes of all colours together are the whole surface, once."""
    import viser

    from nodia_tools.scene import load_scene
    from nodia_tools.trajectory import open_trajectory
    from nodia_tools.view import Viewer

    server = viser.ViserServer("127.0.0.1", 28180, verbose=False)
    try:
        trajectory = open_trajectory(run_directory)
        viewer = Viewer(server, trajectory, load_scene(run_directory, trajectory), "contact_state")
        for field in FIELDS:
            viewer._choose_field(field)
            for time_s in (0.0, 1.234, 2.0):
                viewer._body.show(time_s)
                shown = [mesh for mesh in viewer._body._meshes if mesh.visible]
                assert sum(len(mesh.faces) for mesh in shown) == len(viewer._surface.faces)
    finally:
        server.stop()


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
