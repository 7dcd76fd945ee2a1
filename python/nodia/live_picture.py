"""Software rendering of the current state of an environment."""

import json
from itertools import product
from operator import index
from pathlib import Path

import numpy as np
import yaml
from nodia_tools import palette
from nodia_tools.camera import Camera, places_to_see, side_view
from nodia_tools.fields import STATE_COLOURS, FieldOnSurface, field_named
from nodia_tools.polylines import polylines
from nodia_tools.pose_list import PoseList
from nodia_tools.scene import scene_of, solids_of, tube
from nodia_tools.surface import Surface

from nodia import _core
from nodia.arguments import real_array, shown

SUPERSAMPLING = 2  # a pixel is the mean of SUPERSAMPLING x SUPERSAMPLING samples
AMBIENT, KEY, FILL = 0.35, 0.55, 0.35  # intensities of the lights [-]


class Moment(PoseList):
    """A trajectory (nodia_tools.trajectory) whose only frame is the current state. It has no list of contacts.

    @param topology, frame  dictionaries of nodia._core: the recorded topology, and the state in it
    """

    bodies = ()

    def __init__(self, topology, frame):
        self.times = np.array([frame["time_s"]])
        self.frames = json.loads(topology["poses"])
        self.pose_moves = np.zeros(len(self.frames), bool)
        self._topology, self._frame = topology, frame

    def __len__(self):
        return 1

    def points(self, frame=0):
        return self._frame["points"]

    def cells(self, frame=0):
        return self._topology["tets"]

    def lines(self, frame=0):
        return self._topology["lines"]

    def cables(self):
        return polylines(self.lines())

    def poses(self, frame=0):
        return self._frame["position"], self._frame["orientation_wxyz"]

    def pose_at(self, index, time_s):
        position, wxyz = self.poses()
        return position[index], wxyz[index]

    def point_names(self):
        return ["contact_state", "contact_force"]

    def cell_names(self):
        return []

    def point_field(self, name, frame=0):
        return self._frame[name]

    def contacts(self, frame=0):
        return {}


class Canvas:
    """Image of a camera, with a key light and a fill light."""

    def __init__(self, camera, direction, size):
        self.width, self.height = (SUPERSAMPLING * pixels for pixels in size)
        forward = np.asarray(direction, float) / np.linalg.norm(direction)
        right = np.cross(forward, camera.up)
        self._axes = np.array([right, -camera.up, forward])
        self._eye = camera.position
        self._focal = 0.5 * self.height / np.tan(np.radians(camera.view_angle_deg) / 2)
        self.image = np.empty((self.height, self.width, 3), np.float32)
        self.image[:] = _colour(palette.BACKGROUND)
        self.nearness = np.zeros((self.height, self.width), np.float32)
        heading = np.array([*forward[:2], 0.0])
        heading /= max(np.linalg.norm(heading), 1e-9)
        aside = np.cross(heading, [0.0, 0.0, 1.0])
        self.key = _unit(0.45 * aside + 0.1 * heading - np.array([0, 0, 1.0]))
        self._fill = _unit(heading - 0.35 * aside - np.array([0, 0, 0.1]))

    def floor(self, floor, half_width):
        """Draws a floor as a square with a grid.

        @param floor       origin [m] and the unit vectors x, y, z of the plane, (4, 3)
        @param half_width  half of the square's side [m]
        """
        origin, *axes = floor
        x, y, z = (self._along_rays(axis) for axis in axes)
        start = self._eye - origin
        with np.errstate(divide="ignore", invalid="ignore"):
            depth = np.float32(-(start @ axes[2])) / z
        spacing = 10 ** np.floor(np.log10(half_width / 30))
        pixel = depth / np.float32(self._focal)  # width of a pixel on the floor [m]
        seen = (depth > 0) & (depth * self.nearness < 1)
        line = np.zeros(depth.shape, bool)
        for along, axis in ((x, axes[0]), (y, axes[1])):
            with np.errstate(invalid="ignore"):
                place = np.float32(start @ axis) + depth * along
                seen &= np.abs(place) < half_width
                line |= np.abs(place - spacing * np.round(place / spacing)) < pixel
        self.image[seen & ~line] = _colour(palette.FLOOR)
        self.image[seen & line] = _colour(palette.FLOOR_LINE)
        self.nearness[seen] = 1 / depth[seen]

    def _along_rays(self, axis):
        """Component of each pixel's ray of depth 1 along an axis, (height, width)."""
        right, down, ahead = self._axes @ axis
        x = (np.arange(self.width) + 0.5 - self.width / 2) / self._focal
        y = (np.arange(self.height) + 0.5 - self.height / 2) / self._focal
        return (right * x[None, :] + down * y[:, None] + ahead).astype(np.float32)

    def triangles(self, vertices, faces, colours, smooth=None):
        """Draws lit triangles.

        @param vertices  (n, 3) [m]
        @param faces     vertex indices, int (n_face, 3)
        @param colours   RGB in [0, 1], (3,), or of each face, (n_face, 1, 3)
        @param smooth    normals of the vertices, (n, 3), for smooth shading (default: flat shading)
        """
        vertices = np.asarray(vertices, float)
        if len(faces) == 0:
            return
        corners = vertices[faces]
        colours = np.broadcast_to(colours, corners.shape)
        if smooth is None:
            flat = _unit(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]))
            normals = np.repeat(flat[:, None], 3, axis=1)
        else:
            normals = smooth[faces]
        self._draw(corners, self._lit(corners, normals, colours))

    def shadow(self, vertices, faces, floor, lift):
        """Draws the shadow of triangles in the key light on a floor. @param lift  height above the floor [m]"""
        origin, normal = floor[0], floor[3]
        sinking = self.key @ normal
        if len(faces) == 0 or sinking > -1e-3:
            return
        above = np.maximum((np.asarray(vertices) - origin) @ normal, 0)
        flat = vertices - (above / sinking)[:, None] * self.key
        flat = flat + (lift - (flat - origin) @ normal)[:, None] * normal
        corners = flat[faces]
        self._draw(corners, np.broadcast_to(_colour(palette.SHADOW), corners.shape))

    def picture(self):
        k = SUPERSAMPLING
        mean = self.image.reshape(self.height // k, k, self.width // k, k, 3).mean(axis=(1, 3))
        return np.round(255 * np.clip(mean, 0, 1)).astype(np.uint8)

    def _lit(self, corners, normals, colours):
        towards_eye = np.sum((self._eye - corners) * normals, axis=-1, keepdims=True)
        normals = np.where(towards_eye < 0, -normals, normals)
        light = AMBIENT + sum(
            share * np.maximum(-(normals @ direction), 0) for share, direction in ((KEY, self.key), (FILL, self._fill))
        )
        return np.clip(colours * light[..., None], 0, 1)

    def _draw(self, corners, colours):
        local = (corners.reshape(-1, 3) - self._eye) @ self._axes.T
        near = np.where(local[:, 2] > 1e-6, 1 / np.maximum(local[:, 2], 1e-6), 0)
        pixels = self._focal * local[:, :2] * near[:, None] + [self.width / 2, self.height / 2]
        points = np.ascontiguousarray(np.column_stack([pixels, near]))
        faces = np.arange(len(points), dtype=np.int32).reshape(-1, 3)
        flat = np.ascontiguousarray(colours.reshape(-1, 3), float)
        _core.draw_triangles(self.image, self.nearness, points, flat, faces)


class View:
    """A camera, its direction of view, and the diagonal of the box around the visible points [m]."""

    def __init__(self, places, size, direction):
        """@param places  points that must be visible, (n, 3) [m] @param size  width, height [pixel]"""
        self.camera = Camera(direction, places, size[0] / size[1])
        self.direction, self.diagonal = direction, np.linalg.norm(np.ptp(places, axis=0))


def fixed_view(core, size):
    """View of the current state of environment 0, with room for the motions that the actions of its task can cause.

    The room above the scene is the longest travel of a sliding target, and the room on each side is a quarter of it. If the
    task limits no such target, half of the scene's diagonal replaces the travel.
    """
    moment, scene, surface = _now(core, 0)
    places = places_to_see(moment, surface, scene)
    low, high = places.min(axis=0), places.max(axis=0)
    way = max(_ways_of_targets(core), default=0.5 * np.linalg.norm(high - low))
    bounds = [low - [way / 4, way / 4, 0], high + [way / 4, way / 4, way]]
    return View(np.array(list(product(*np.transpose(bounds)))), size, side_view(moment))


def _ways_of_targets(core):
    """Travels [m] of sliding joints and of frames between the limits in the block `task.action` of a scenario."""
    action = yaml.load(core.yaml(0), Loader=yaml.BaseLoader)["task"]["action"]
    slides = [name for name, unit, *_ in core.action_space if unit == "m"]
    low, high = action.get("low") or {}, action.get("high") or {}
    limits = [(low[name], high[name]) for name in slides if name in low and name in high]
    if "low_m" in action and "high_m" in action:
        limits.append((action["low_m"], action["high_m"]))
    return [float(np.max(np.subtract(*np.array(pair, float)))) for pair in ((b, a) for a, b in limits)]


def _now(core, env):
    """Current state, scene and surface of the soft bodies of an environment."""
    moment = Moment(core.topology(env), core.frame(env))
    return moment, scene_of(core.yaml(env), Path("scenario"), moment), Surface(moment.points(), moment.cells())


def picture_of(core, env, size, direction=None, view=None, contacts=True):
    """Renders the current state of an environment.

    @param core       nodia._core.Simulation or nodia._core.Task
    @param size       width, height [pixel]
    @param direction  direction of view (default: obliquely from above), if there is no `view`
    @param view       View for a picture of this size (default: a view of the whole current state)
    @param contacts   whether soft surfaces show the contact state in colours
    @return uint8 (height, width, 3)
    @throws InputError for a bad size or direction
    """
    try:
        width, height = map(index, size)
    except (TypeError, ValueError):
        raise _core.InputError(f"size = {shown(size)} (must be width, height: two whole numbers of pixels)") from None
    if not (16 <= width <= 8192 and 16 <= height <= 8192):
        raise _core.InputError(f"size = {size} (must be from 16 to 8192 pixels each)")
    moment, scene, surface = _now(core, env)
    time_s = float(moment.times[0])
    if view is None:
        direction = side_view(moment) if direction is None else _direction(direction)
        view = View(places_to_see(moment, surface, scene), (width, height), direction)
    canvas = Canvas(view.camera, view.direction, (width, height))
    casters = [*_bodies(moment, surface, scene, contacts), *_obstacles(scene, time_s)]
    for floor in _floors(scene, time_s):
        canvas.floor(floor, 12 * view.diagonal)
        for vertices, faces, *_ in casters:
            canvas.shadow(vertices, faces, floor, 1e-3 * view.diagonal)
    for vertices, faces, colours, normals in casters:
        canvas.triangles(vertices, faces, colours, normals)
    return canvas.picture()


def _bodies(moment, surface, scene, contacts):
    """Yields vertices, faces, colours and normals of the soft bodies, cables and rigid solids."""
    points, time_s = moment.points(), float(moment.times[0])
    if len(surface.faces):
        vertices, colours = surface.vertices(points), STATE_COLOURS[0]
        if contacts:
            colours = FieldOnSurface(field_named("contact_state"), moment, surface).colours(0)[:, None]
        yield vertices, surface.faces, colours, surface.vertex_normals(vertices)
    for links, radius in zip(moment.cables(), scene.radii):
        yield *tube(points[links], radius), _colour(palette.CABLE), None
    for solid in solids_of(moment, scene):
        yield solid.path.to_world(np.asarray(solid.mesh.vertices), time_s), solid.mesh.faces, _colour(palette.SOLID), None


def _obstacles(scene, time_s):
    """Yields vertices, faces, colours and None (flat shading) of the obstacles with a mesh."""
    for obstacle in scene.obstacles:
        if obstacle.mesh is not None:
            vertices = obstacle.path.to_world(np.asarray(obstacle.mesh.vertices), time_s)
            yield vertices, obstacle.mesh.faces, _colour(palette.OBSTACLE), None


def _floors(scene, time_s):
    """Yields origin and unit vectors x, y, z, (4, 3), of the planes (obstacles without a mesh)."""
    for obstacle in scene.obstacles:
        if obstacle.mesh is None:
            origin = obstacle.path.to_world(np.zeros((1, 3)), time_s)
            yield np.vstack([origin, obstacle.path.to_world(np.eye(3), time_s) - origin])


def _direction(direction):
    direction = real_array("direction", direction, "must be three numbers, not vertical")
    if direction.shape != (3,) or not np.isfinite(direction).all() or np.linalg.norm(direction[:2]) < 1e-9:
        raise _core.InputError(f"direction = {direction.tolist()} (must be three numbers, not vertical)")
    return direction / np.linalg.norm(direction)


def _colour(word):
    return np.array(palette.rgb(word)) / 255


def _unit(vectors):
    return vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-300)
