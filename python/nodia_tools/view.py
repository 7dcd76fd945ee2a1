"""nodia view: serves a run to a web browser, with a time line. Ctrl-C ends it."""

import asyncio
import contextlib
import errno
import html
import io
import signal
import socket
import sys
import time
import webbrowser
from urllib.parse import quote

import numpy as np

from nodia_tools import palette
from nodia_tools.camera import Camera, moving_places, places_to_see, side_view
from nodia_tools.coloured_surface import ColouredSurface, add_mesh, legend_of
from nodia_tools.command_line import ArgumentParser, InputError, exit_code_of
from nodia_tools.contact_list import report_uneven_pairs
from nodia_tools.fields import FIELDS, FieldOnSurface, field_named
from nodia_tools.grid_lines import grid_lines
from nodia_tools.own_page_server import OwnPageServer
from nodia_tools.marks import Marks
from nodia_tools.palette import rgb
from nodia_tools.scene import grip_bar, load_scene, solids_of, tube
from nodia_tools.surface import Surface
from nodia_tools.trajectory import open_trajectory

N_PORT = 1000  # number of ports that are tried after --port
PICTURES_PER_SECOND = 30
REST_S = 0.5  # delay after the user's last change of the slider before its value is sent again [s]


class Viewer:
    """The page: the scene, the time line and the choice of colours.

    Every picture in the browser shows a single time step. Two measures ensure this. First, `draw` applies all changes of a
    picture in one task of viser's event loop. The same loop collects the messages for each browser between its tasks,
    without a limit on their number, so even a slow browser receives the changes of a picture together. Second, all moving
    objects are moved by their vertices, because the browser applies a new pose one picture before it applies new vertices.
    """

    def __init__(self, server, trajectory, scene, field_name):
        _send_all_pending_messages_together(server)
        self._server, self._trajectory = server, trajectory
        self._surface = Surface(trajectory.points(0), trajectory.cells(0))
        self._body = ColouredSurface(server, trajectory, self._surface)
        self._step_s = scene.step_s
        self._moving = []  # (mesh, vertices in the moving frame, motion)
        self._drawn = None  # time and name of the field of the last picture
        self._add_surroundings(scene)
        self._aim(scene)
        self._add_controls(scene.name, field_name)
        self.draw(self._slider.value, field_name)

    def play(self):
        """Draws the time on the time line, and advances it while `play` is on and a browser is connected.

        Never returns; an exception ends it.
        """
        last = time.monotonic()
        while True:
            time.sleep(1 / PICTURES_PER_SECOND)
            now = time.monotonic()
            time_s = slider_s = self._slider.value
            if self._playing.value and self._server.get_clients():
                time_s += self._speed.value * (now - last)
                if time_s > self._trajectory.times[-1]:
                    time_s = float(self._trajectory.times[0])
            elif self._user_moved_at is not None and now - self._user_moved_at > REST_S:
                self._user_moved_at = None
                time_s = self._neighbour_of(time_s)
            self.draw(time_s, self._choice.value, slider_s)
            last = now

    def draw(self, time_s, field_name, slider_s=None):
        """Shows a time in the colours of a field, and sets the slider to that time.

        @param slider_s  value of the slider [s] from which the caller computed `time_s`. If the user has moved the slider
                         since then, the slider keeps the user's value, and the next picture shows it
        """
        if (time_s, field_name) == self._drawn:
            return
        changes = list(self._changes(time_s, field_name))

        async def apply():
            if slider_s in (None, self._slider.value):
                self._slider.value = time_s
            for handle, name, value in changes:
                setattr(handle, name, value)

        asyncio.run_coroutine_threadsafe(apply(), self._server.get_event_loop()).result()
        self._drawn = time_s, field_name

    def _changes(self, time_s, field_name):
        """Yields the changes of a picture: (handle, name of its property, new value)."""
        if self._drawn is None or self._drawn[1] != field_name:
            self._coloured = FieldOnSurface(field_named(field_name), self._trajectory, self._surface, self._step_s)
            yield from self._body.recolour(self._coloured)
            yield self._legend, "content", legend_of(self._coloured)
        yield from self._body.move_to(time_s)
        yield from self._marks.move_to(self._coloured.marks(self._trajectory.nearest(time_s)))
        points = self._trajectory.points_at(time_s) if self._cables else None
        for mesh, links, radius in self._cables:
            yield mesh, "vertices", tube(points[links], radius)[0].astype(np.float32)
        for mesh, vertices, motion in self._moving:
            yield mesh, "vertices", motion.to_world(vertices, time_s).astype(np.float32)

    def _neighbour_of(self, time_s):
        """The floating-point number next to a time, towards the middle of the run.

        After the user moves the slider, the browser may still receive a time that was sent earlier, and its slider then shows
        this old time. viser sends a value only if it differs from the last one. The neighbouring value forces viser to send the
        user's time again.
        """
        middle = (self._trajectory.times[0] + self._trajectory.times[-1]) / 2
        return float(np.nextafter(time_s, middle))

    def _add_surroundings(self, scene):
        api = self._server.scene
        api.set_up_direction("+z")
        self._add_lights()
        diagonal = np.linalg.norm(np.ptp(moving_places(self._trajectory, self._surface, scene), axis=0))
        self._marks = Marks(self._server, 0.005 * diagonal)
        for obstacle in scene.obstacles:
            name = _node("obstacles", obstacle.name)
            if obstacle.mesh is not None:
                mesh = (np.asarray(obstacle.mesh.vertices), np.asarray(obstacle.mesh.faces))
                self._add_solid(name, mesh, rgb(palette.OBSTACLE), obstacle.path)
            elif obstacle.path.moves:
                self._add_moving_floor(name, obstacle.path, diagonal)
            else:
                self._add_floor(name, obstacle.path, diagonal)
        for k, solid in enumerate(solids_of(self._trajectory, scene)):
            mesh = (np.asarray(solid.mesh.vertices), np.asarray(solid.mesh.faces))
            self._add_solid(_node("solids", f"{k}_{solid.name}"), mesh, rgb(palette.SOLID), solid.path)
        self._add_cables(scene)
        for grip in scene.grips:
            bar = grip_bar(self._trajectory, grip)
            if bar is not None:
                self._add_solid(_node("grips", grip.name), bar, rgb(palette.GRIP), grip.path)

    def _add_lights(self):
        """Adds white lights, so that the colours agree with the legend. The browser needs no texture for them."""
        api = self._server.scene
        api.configure_default_lights(enabled=False)
        api.configure_environment_map(None)
        forward = side_view(self._trajectory)
        right = np.cross(forward, [0, 0, 1])
        api.add_light_ambient("/lights/ambient", intensity=1.4)
        api.add_light_directional(
            "/lights/key", intensity=1.9, position=tuple(-0.6 * right + [0, 0, 1.5])
        )
        api.add_light_directional("/lights/fill", intensity=0.7, position=tuple(right - forward))

    def _add_solid(self, name, mesh, colour, motion):
        vertices, faces = mesh
        start = motion.to_world(vertices, self._trajectory.times[0])
        handle = add_mesh(self._server, name, start, faces, color=colour)
        if motion.moves:
            self._moving.append((handle, vertices, motion))

    def _add_cables(self, scene):
        self._cables = []
        points = self._trajectory.points(0)
        for k, (links, radius) in enumerate(zip(self._trajectory.cables(), scene.radii)):
            vertices, faces = tube(points[links], radius)
            mesh = self._server.scene.add_mesh_simple(
                f"/cables/{k}", vertices.astype(np.float32), faces.astype(np.uint32), color=rgb(palette.CABLE)
            )
            self._cables.append((mesh, links, radius))

    def _add_floor(self, name, motion, diagonal):
        """Adds a grid slightly below the plane of a half-space that does not move."""
        cell, size = _cell_and_size(diagonal)
        start = self._trajectory.times[0]
        self._server.scene.add_grid(
            name,
            size,
            size,
            cell_size=cell,
            section_size=10 * cell,
            cell_color=rgb(palette.FLOOR_LINE),
            section_color=rgb(palette.FLOOR_LINE),
            plane_color=rgb(palette.FLOOR),
            plane_opacity=1.0,
            fade_distance=20 * diagonal,
            position=motion.to_world(np.array([[0, 0, -1e-3 * diagonal]]), start)[0],
            wxyz=motion.at(start)[1],
        )

    def _add_moving_floor(self, name, motion, diagonal):
        """Adds a square with grid lines as meshes, because viser's own grid can only be moved by its pose."""
        cell, size = _cell_and_size(diagonal)
        square = size / 2 * np.array([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]])
        lines, line_faces = grid_lines(size, cell, 0.02 * cell)
        square_faces = np.array([[0, 1, 2], [0, 2, 3]])
        for part, vertices, faces, colour, depth in (
            ("plane", square, square_faces, palette.FLOOR, 2e-3),
            ("lines", lines, line_faces, palette.FLOOR_LINE, 1e-3),
        ):
            below = vertices - [0, 0, depth * diagonal]
            self._add_solid(f"{name}/{part}", (below, faces), rgb(colour), motion)

    def _aim(self, scene):
        places = places_to_see(self._trajectory, self._surface, scene)
        camera = Camera(
            side_view(self._trajectory), places, 16 / 9, diagonal_angle_deg=45, margin=1.3
        )
        self._server.initial_camera.fov = np.radians(camera.view_angle_deg)
        self._server.initial_camera.position = camera.position
        self._server.initial_camera.look_at = camera.focal_point
        self._server.initial_camera.up = (0.0, 0.0, 1.0)

    def _add_controls(self, title, field_name):
        gui, times = self._server.gui, self._trajectory.times
        gui.add_html(f'<div style="padding:.4em .6em"><b>{html.escape(title)}</b></div>')
        first, last = float(times[0]), float(times[-1])
        self._slider = gui.add_slider(
            "time [s]", first, max(last, first + 1e-3), step=1e-3, initial_value=first
        )
        self._playing = gui.add_checkbox("play", initial_value=len(times) > 1)
        self._speed = gui.add_slider("playback speed", 0.05, 2.0, step=0.05, initial_value=1.0)
        self._choice = gui.add_dropdown("colour", tuple(FIELDS), initial_value=field_name)
        self._legend = gui.add_html("")
        self._user_moved_at = None
        self._slider.on_update(self._note_user)

    def _note_user(self, event):
        """Stores the time of a change of the slider by the user. Changes by `draw` are ignored."""
        if event.client_id is not None:
            self._user_moved_at = time.monotonic()


def _node(group, name):
    """Name of a node of viser's tree. Slashes in `name`, which comes from a file, are quoted and do not create a child node."""
    return f"/{group}/{quote(name, safe='')}"


def _cell_and_size(diagonal):
    """Cell size [m], a power of ten, and edge length [m] of the floor grid for a scene with this diagonal [m]."""
    cell = float(10 ** np.floor(np.log10(diagonal / 4)))
    return cell, 10 * cell * np.ceil(diagonal / cell)


def _send_all_pending_messages_together(server):
    """Removes viser's limit of 128 messages at a time, which would split the changes of a picture.

    viser has no public name for the limit. A test in test_view.py fails if the removal has no effect.
    """
    server._websock_server._broadcast_buffer.max_window_size = sys.maxsize


def _try_to_bind(addresses, port):
    """Raises OSError if the port is in use, or if this machine has none of the addresses."""
    failure = None
    for family, kind, protocol, _, address in addresses:
        try:
            with socket.socket(family, kind, protocol) as probe:
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                probe.bind((address[0], port, *address[2:]))
        except OSError as error:
            if error.errno not in (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT):
                raise
            failure = failure or error
        else:
            return
    raise failure


def _free_port(host, port):
    """The first free port, starting with `port`. Port 0 (any port) is returned unchanged.

    The server itself would try a thousand ports without a message and then wait forever.

    @throws InputError  if the host is not an address of this machine, or no port is free
    """
    try:
        addresses = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise InputError(f"--host = {host} (must be an address to listen on; {error})") from None
    last = min(port + N_PORT, 65535) if port > 0 else 0
    for candidate in range(port, last + 1):
        try:
            _try_to_bind(addresses, candidate)
            return candidate
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                continue
            if error.errno == errno.EACCES:
                raise InputError(f"--port = {candidate} (must be one for all users)") from None
            reason = error.strerror.lower()
            raise InputError(
                f"--host = {host} (must be an address of this machine; {reason})"
            ) from None
    raise InputError(f"--port = {port} (must be free; all up to {last} are taken)")


def _interrupt(signal_number, frame):
    raise KeyboardInterrupt


def _view(arguments):
    if not 0 <= arguments.port <= 65535:
        raise InputError(f"--port = {arguments.port} (must be from 0 to 65535)")
    trajectory = open_trajectory(arguments.directory, arguments.env)
    scene = load_scene(arguments.directory, trajectory, arguments.env)
    field_named(arguments.field)
    report_uneven_pairs(trajectory, Surface(trajectory.points(0), trajectory.cells(0)))
    port = _free_port(arguments.host, arguments.port)
    signal.signal(signal.SIGINT, _interrupt)
    signal.signal(signal.SIGTERM, _interrupt)
    with contextlib.redirect_stdout(io.StringIO()):  # suppresses viser's banner
        server = OwnPageServer(arguments.host, port, label=f"nodia: {scene.name}", verbose=False)
    try:
        viewer = Viewer(server, trajectory, scene, arguments.field)
        url = f"http://{arguments.host}:{server.get_port()}"
        print(f"{url}  (Ctrl-C ends it)", flush=True)
        if arguments.open:
            webbrowser.open(url)
        viewer.play()
    except KeyboardInterrupt:
        return 0
    finally:
        with contextlib.redirect_stdout(io.StringIO()):
            server.stop()


def main():
    parser = ArgumentParser(
        prog="nodia view",
        description=__doc__,
        examples=["nodia view out/soft_ball", "nodia view out/soft_ball --port 8081"],
    )
    parser.add_argument("directory", metavar="DIR", help="run directory")
    parser.add_argument(
        "--port",
        metavar="N",
        type=int,
        default=8080,
        help="first port to try; the next free one is used (default 8080)",
    )
    parser.add_argument(
        "--host",
        metavar="ADDRESS",
        default="127.0.0.1",
        help="address to listen on (default 127.0.0.1: this machine only)",
    )
    parser.add_argument(
        "--no-open", dest="open", action="store_false", help="do not open a browser"
    )
    parser.add_argument(
        "--field", metavar="NAME", default="contact_state", help=f"field that colours the surface: {', '.join(FIELDS)} (default contact_state)"
    )
    parser.add_argument(
        "--env", metavar="N", type=int, default=0, help="number of the environment in a batch (default 0)"
    )
    arguments = parser.parse_args()
    return exit_code_of("nodia view", lambda: _view(arguments))


if __name__ == "__main__":
    sys.exit(main())
