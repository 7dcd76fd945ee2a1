"""nodia view: serves a run to a web browser, with its time line. Ctrl-C ends it."""

import contextlib
import errno
import io
import signal
import socket
import sys
import threading
import time
import webbrowser

import numpy as np
import viser
from matplotlib import colormaps

from nodia_tools import palette
from nodia_tools.camera import Camera, moving_places, places_to_see, side_view
from nodia_tools.command_line import ArgumentParser, InputError, exit_code_of
from nodia_tools.fields import FIELDS, STATE_COLOURS, STATE_NAMES, FieldOnSurface, field_named
from nodia_tools.palette import rgb
from nodia_tools.scene import grip_bar, load_scene, solids_of, tube
from nodia_tools.surface import Surface
from nodia_tools.trajectory import open_trajectory

N_PORT = 1000  # tried from --port on
PICTURES_PER_SECOND = 30
REST_S = 0.5  # behind the last movement of the slider by hand
N_SHADE = 24  # colours of a continuous field


class ColouredSurface:
    """A surface in the browser: one mesh per colour, each face in the mesh of its colour.

    The browser's plain mesh has one colour, and only plain meshes change in place at video speed.
    A mesh whose colour no face has is empty, never hidden: the browser hides and shows at once but
    redraws geometry a picture later, so that a mesh shown again would first stand where it was last
    seen.
    """

    def __init__(self, server, trajectory, surface):
        self._trajectory, self._surface = trajectory, surface
        self._meshes = [
            server.scene.add_mesh_simple(
                f"/body/{i}",
                surface.vertices(trajectory.points(0)).astype(np.float32),
                np.zeros((0, 3), np.uint32),
                flat_shading=True,
                side="double",
            )
            for i in range(N_SHADE if len(surface.faces) else 0)
        ]

    def colour_by(self, coloured):
        self._coloured = coloured
        if coloured.field.colour_map is None:
            colours = STATE_COLOURS
        else:
            colours = colormaps[coloured.field.colour_map](np.linspace(0, 1, N_SHADE))[:, :3]
        for mesh, colour in zip(self._meshes, colours):
            mesh.color = tuple(int(c) for c in np.round(255 * colour))

    def show(self, time_s):
        vertices = self._surface.vertices(self._trajectory.points_at(time_s)).astype(np.float32)
        shades = self._face_shades(self._trajectory.nearest(time_s))
        for shade, mesh in enumerate(self._meshes):
            mesh.faces = self._surface.faces[shades == shade].astype(np.uint32)
            if len(mesh.faces) > 0:
                mesh.vertices = vertices

    def _face_shades(self, frame):
        values = self._coloured.values(frame)[self._surface.faces]
        if self._coloured.field.colour_map is None:
            return values.max(axis=1)
        share = np.nan_to_num(values.mean(axis=1)) / self._coloured.upper
        return np.clip(np.round(share * (N_SHADE - 1)), 0, N_SHADE - 1).astype(int)


def _css(colour):
    return "rgb({}, {}, {})".format(*np.round(255 * np.asarray(colour)).astype(int))


def _legend(coloured):
    """HTML."""
    if coloured.field.colour_map is None:
        box = "display:inline-block;width:1em;height:1em;margin:0 .3em 0 .8em;border:1px solid"
        patches = [
            f'<span style="{box};background:{_css(colour)}"></span>{name}'
            for name, colour in zip(STATE_NAMES, STATE_COLOURS)
        ]
        return f'<div style="padding:.4em .6em">{"".join(patches)}</div>'
    colours = colormaps[coloured.field.colour_map](np.linspace(0, 1, 8))[:, :3]
    gradient = ", ".join(_css(colour) for colour in colours)
    bar = f"height:.8em;background:linear-gradient(to right, {gradient})"
    return (
        f'<div style="padding:.4em 1em">{coloured.field.title}<div style="{bar}"></div>'
        '<div style="display:flex;justify-content:space-between">'
        f"<span>0</span><span>{coloured.upper:.3g}</span></div></div>"
    )


class Viewer:
    """The page: the scene, the time line and the choice of colours."""

    def __init__(self, server, trajectory, scene, field_name):
        self._server, self._trajectory = server, trajectory
        self._surface = Surface(trajectory.points(0), trajectory.cells(0))
        self._body = ColouredSurface(server, trajectory, self._surface)
        self._solids = []
        self._floors = []
        self._lock = threading.Lock()
        self._add_surroundings(scene)
        self._aim(scene)
        self._add_controls(scene.name, field_name)
        self._choose_field(field_name)

    def play(self):
        """Advances the time line while `play` is on and somebody looks; ends by an exception."""
        last = time.monotonic()
        while True:
            time.sleep(1 / PICTURES_PER_SECOND)
            now = time.monotonic()
            if self._playing.value and self._server.get_clients():
                time_s = self._slider.value + self._speed.value * (now - last)
                end = self._trajectory.times[-1]
                self._slider.value = float(self._trajectory.times[0] if time_s > end else time_s)
            elif self._moved_s is not None and now - self._moved_s > REST_S:
                self._moved_s = None
                self._repeat_time()
            last = now

    def _repeat_time(self):
        """Tells the page the time that it set: what was told before may have reached it later.

        A value is told only where it differs, so it goes to its neighbour.
        """
        middle = (self._trajectory.times[0] + self._trajectory.times[-1]) / 2
        self._slider.value = float(np.nextafter(self._slider.value, middle))

    def _add_surroundings(self, scene):
        api = self._server.scene
        api.set_up_direction("+z")
        self._add_lights()
        diagonal = np.linalg.norm(np.ptp(moving_places(self._trajectory, self._surface, scene), axis=0))
        for obstacle in scene.obstacles:
            if obstacle.mesh is None:
                self._add_floor(obstacle, diagonal)
            else:
                mesh = (np.asarray(obstacle.mesh.vertices), np.asarray(obstacle.mesh.faces))
                self._add_solid(f"/obstacles/{obstacle.name}", mesh, rgb(palette.OBSTACLE), obstacle.path)
        for k, solid in enumerate(solids_of(self._trajectory, scene)):
            mesh = (np.asarray(solid.mesh.vertices), np.asarray(solid.mesh.faces))
            self._add_solid(f"/solids/{k}_{solid.name}", mesh, rgb(palette.SOLID), solid.path)
        self._add_cables(scene)
        for grip in scene.grips:
            bar = grip_bar(self._trajectory, grip)
            if bar is not None:
                self._add_solid(f"/grips/{grip.name}", bar, rgb(palette.GRIP), grip.path)

    def _add_lights(self):
        """White light that keeps the colours of the legend; the browser fetches nothing for it."""
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
        """Moved by its vertices, as the bodies are: the browser moves a pose a picture earlier."""
        vertices, faces = mesh
        handle = self._server.scene.add_mesh_simple(
            name,
            motion.to_world(vertices, self._trajectory.times[0]).astype(np.float32),
            faces.astype(np.uint32),
            color=colour,
            flat_shading=True,
            side="double",
        )
        if motion.moves:
            self._solids.append((handle, vertices, motion))

    def _add_cables(self, scene):
        self._cables = []
        points = self._trajectory.points(0)
        for k, (links, radius) in enumerate(zip(self._trajectory.cables(), scene.radii)):
            vertices, faces = tube(points[links], radius)
            mesh = self._server.scene.add_mesh_simple(
                f"/cables/{k}", vertices.astype(np.float32), faces.astype(np.uint32), color=rgb(palette.CABLE)
            )
            self._cables.append((mesh, links, radius))

    def _add_floor(self, obstacle, diagonal):
        """A grid with cells of a round size, a little below the true plane."""
        cell = float(10 ** np.floor(np.log10(diagonal / 4)))
        size = 10 * cell * np.ceil(diagonal / cell)
        handle = self._server.scene.add_grid(
            f"/obstacles/{obstacle.name}",
            size,
            size,
            cell_size=cell,
            section_size=10 * cell,
            cell_color=rgb(palette.FLOOR_LINE),
            section_color=rgb(palette.FLOOR_LINE),
            plane_color=rgb(palette.FLOOR),
            plane_opacity=1.0,
            fade_distance=20 * diagonal,
        )
        self._floors.append((handle, obstacle.path, np.array([0, 0, -1e-3 * diagonal])))

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
        gui.add_markdown(f"**{title}**")
        first, last = float(times[0]), float(times[-1])
        self._slider = gui.add_slider(
            "time [s]", first, max(last, first + 1e-3), step=1e-3, initial_value=first
        )
        self._playing = gui.add_checkbox("play", initial_value=len(times) > 1)
        self._speed = gui.add_slider("playback speed", 0.05, 2.0, step=0.05, initial_value=1.0)
        self._choice = gui.add_dropdown("colour", tuple(FIELDS), initial_value=field_name)
        self._legend = gui.add_html("")
        self._moved_s = None
        self._slider.on_update(self._on_time)
        self._choice.on_update(lambda _: self._choose_field(self._choice.value))

    def _on_time(self, event):
        if event.client_id is not None:
            self._moved_s = time.monotonic()
        self._show()

    def _choose_field(self, name):
        with self._lock, self._server.atomic():
            coloured = FieldOnSurface(field_named(name), self._trajectory, self._surface)
            self._body.colour_by(coloured)
            self._legend.content = _legend(coloured)
            self._show_moment(self._slider.value)

    def _show(self):
        with self._lock, self._server.atomic():
            self._show_moment(self._slider.value)

    def _show_moment(self, time_s):
        self._body.show(time_s)
        points = self._trajectory.points_at(time_s) if self._cables else None
        for mesh, links, radius in self._cables:
            mesh.vertices = tube(points[links], radius)[0].astype(np.float32)
        for mesh, vertices, motion in self._solids:
            mesh.vertices = motion.to_world(vertices, time_s).astype(np.float32)
        for grid, motion, offset in self._floors:
            grid.position = motion.to_world(offset[None, :], time_s)[0]
            grid.wxyz = motion.at(time_s)[1]


def _try_to_bind(addresses, port):
    """Throws OSError where the port is taken, or where no address is one of this machine."""
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
    """The first from `port` on that can be listened on; 0 (any) stays 0.

    The server would try a thousand in silence and then wait for ever. Throws InputError.
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
    port = _free_port(arguments.host, arguments.port)
    signal.signal(signal.SIGINT, _interrupt)
    signal.signal(signal.SIGTERM, _interrupt)
    with contextlib.redirect_stdout(io.StringIO()):  # its own banner
        server = viser.ViserServer(
            arguments.host, port, label=f"nodia: {scene.name}", verbose=False
        )
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
    parser = ArgumentParser(prog="nodia view", description=__doc__)
    parser.add_argument("directory", metavar="DIR", help="directory of a run")
    parser.add_argument(
        "--port",
        metavar="N",
        type=int,
        default=8080,
        help="the next free one from here on (default 8080)",
    )
    parser.add_argument(
        "--host",
        metavar="ADDRESS",
        default="127.0.0.1",
        help="to listen on (default: this machine only)",
    )
    parser.add_argument(
        "--no-open", dest="open", action="store_false", help="do not open a browser"
    )
    parser.add_argument(
        "--field", metavar="NAME", default="contact_state", help=f"one of {', '.join(FIELDS)}"
    )
    parser.add_argument(
        "--env", metavar="N", type=int, default=0, help="environment of a batch (default 0)"
    )
    arguments = parser.parse_args()
    return exit_code_of("nodia view", lambda: _view(arguments))


if __name__ == "__main__":
    sys.exit(main())
