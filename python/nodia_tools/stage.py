"""Draws pictures of a run with VTK, with or without a screen."""

import ctypes
import os

import numpy as np


def use_software_renderer():
    """Selects VTK's software renderer if OSMesa is installed. It needs neither a display nor a driver.

    Must be called before VTK creates its first window.
    """
    try:
        ctypes.CDLL("libOSMesa.so.8")
    except OSError:
        return
    os.environ.setdefault("VTK_DEFAULT_OPENGL_WINDOW", "vtkOSOpenGLRenderWindow")


use_software_renderer()

import pyvista  # noqa: E402  (after the choice of the renderer)

from nodia_tools import palette  # noqa: E402
from nodia_tools.camera import Camera, moving_places, places_to_see  # noqa: E402
from nodia_tools.scene import grip_bar, solids_of, tube  # noqa: E402


def _poly_data(vertices, faces):
    padded = np.hstack([np.full((len(faces), 1), 3), np.asarray(faces).reshape(-1, 3)])
    return pyvista.PolyData(np.asarray(vertices, float), padded.ravel())


def _grid_lines(half_width, spacing):
    """Lines of a square grid in the plane z = 0 [n_line, 2, 3]."""
    n = int(half_width / spacing)
    offsets = spacing * np.arange(-n, n + 1)
    ends = np.array([-n * spacing, n * spacing])
    along_y = [[[x, ends[0], 0], [x, ends[1], 0]] for x in offsets]
    along_x = [[[ends[0], y, 0], [ends[1], y, 0]] for y in offsets]
    return np.array(along_x + along_y, float)


class Stage:
    """The surface of the bodies, cables, rigid shapes, obstacles and grips, with fixed lights and a fixed camera."""

    def __init__(self, trajectory, surface, coloured, scene, direction, size, supersampling=1):
        """@param direction      unit vector of the view direction
        @param size           width, height of a picture [pixel]
        @param supersampling  each pixel is the mean of supersampling x supersampling rendered pixels
        """
        self._trajectory, self._surface, self._coloured = trajectory, surface, coloured
        self._direction, self._size, self._supersampling = direction, size, supersampling
        self._moving = []
        scaled = [supersampling * pixels for pixels in size]
        self._plotter = pyvista.Plotter(off_screen=True, window_size=scaled, lighting="none")
        self._plotter.enable_anti_aliasing("msaa", multi_samples=4)
        self._plotter.set_background(palette.BACKGROUND)
        self._body = _poly_data(surface.vertices(trajectory.points(0)), surface.faces)
        self._casters = []
        self._shadows = []
        if len(surface.faces):
            self._add_body()
        self._add_lights()
        self._add_cables(scene)
        self._add_solids(scene)
        self._add_obstacles(scene)
        self._add_grips(scene)
        self._add_shadows(scene)
        self._aim(scene)

    def _add_body(self):
        surface = self._surface
        values = self._body.cell_data if self._coloured.on_faces else self._body.point_data
        values["colours"] = np.zeros((len(surface.faces if self._coloured.on_faces else surface.nodes), 3), np.uint8)
        self._body["Normals"] = surface.vertex_normals(self._body.points)
        self._body.point_data.active_normals_name = "Normals"
        self._plotter.add_mesh(
            self._body,
            scalars="colours",
            preference="cell" if self._coloured.on_faces else "point",
            rgb=True,
            interpolation="phong",
            specular=0.15,
            specular_power=20,
            ambient=0.25,
            show_edges=True,
            edge_color="#39424e",
            edge_opacity=0.35,
            line_width=0.5 * self._supersampling,
        )
        self._casters.append(lambda time_s: (self._body.points, surface.faces))

    def _add_cables(self, scene):
        """Adds tubes along the cable links, with the colours of the links."""
        self._cables = []
        points = self._trajectory.points(0)
        for links, radius in zip(self._trajectory.cables(), scene.radii):
            vertices, faces = tube(points[links], radius)
            mesh = _poly_data(vertices, faces)
            mesh["colours"] = np.zeros((len(vertices), 3), np.uint8)
            self._plotter.add_mesh(mesh, scalars="colours", rgb=True, specular=0.2, ambient=0.25)
            self._cables.append((mesh, links, radius))
            self._casters.append(lambda time_s, mesh=mesh, faces=faces: (mesh.points, faces))

    def _add_solids(self, scene):
        for solid in solids_of(self._trajectory, scene):
            mesh = _poly_data(solid.mesh.vertices, solid.mesh.faces)
            look = {"smooth_shading": True, "split_sharp_edges": True, "specular": 0.25}
            self._add(mesh, solid.path, color=palette.SOLID, ambient=0.25, **look)
            self._add_caster(solid.mesh.vertices, solid.mesh.faces, solid.path)

    def _show_cables(self, time_s):
        points = self._trajectory.points_at(time_s)
        frame = self._trajectory.nearest(time_s)
        for mesh, links, radius in self._cables:
            mesh.points = tube(points[links], radius)[0]
            colours = self._coloured.point_colours(frame, links)
            n_side = (mesh.n_points - 2) // len(links)
            rings = np.vstack([np.repeat(colours, n_side, axis=0), colours[:1], colours[-1:]])
            mesh["colours"] = np.round(255 * rings).astype(np.uint8)

    def _show_marks(self, time_s):
        """Draws a dot at each contact that carries more than LEAST_SHARE of the force (contact_list.py)."""
        self._plotter.remove_actor("marks", render=False)
        places = self._coloured.marks(self._trajectory.nearest(time_s))
        if len(places):
            size = max(3, 0.008 * self._supersampling * self._size[1])
            look = {"render_points_as_spheres": True, "point_size": size, "color": palette.MARK}
            self._plotter.add_points(places, name="marks", reset_camera=False, render=False, **look)

    def picture(self, time_s):
        """RGB image at a time [s], [height, width, 3] uint8. Positions between frames are interpolated."""
        trajectory, surface = self._trajectory, self._surface
        if len(surface.faces):
            self._body.points = surface.vertices(trajectory.points_at(time_s))
            self._body["Normals"] = surface.vertex_normals(self._body.points)
            colours = self._coloured.colours(trajectory.nearest(time_s))
            self._body["colours"] = np.round(255 * colours).astype(np.uint8)
        self._show_cables(time_s)
        self._show_marks(time_s)
        for actor, motion in self._moving:
            actor.user_matrix = _matrix(motion, time_s)
        for caster, shadow, floor in self._shadows:
            shadow.points = self._shade(caster(time_s)[0], floor, time_s)
        self._plotter.render()
        image = self._plotter.screenshot(None, return_img=True)
        k, (width, height) = self._supersampling, self._size
        mean = (
            image[: k * height, : k * width, :3].reshape(height, k, width, k, 3).mean(axis=(1, 3))
        )
        return np.round(mean).astype(np.uint8)

    def close(self):
        self._plotter.close()

    def _add(self, mesh, motion, **look):
        actor = self._plotter.add_mesh(mesh, **look)
        actor.user_matrix = _matrix(motion, self._trajectory.times[0])
        if motion.moves:
            self._moving.append((actor, motion))

    def _add_obstacles(self, scene):
        diagonal = np.linalg.norm(np.ptp(moving_places(self._trajectory, self._surface, scene), axis=0))
        self._lift = 1e-3 * diagonal
        for obstacle in scene.obstacles:
            if obstacle.mesh is None:
                self._add_floor(obstacle.path, 12 * diagonal)
                continue
            mesh = _poly_data(obstacle.mesh.vertices, obstacle.mesh.faces)
            self._add(
                mesh,
                obstacle.path,
                color=palette.OBSTACLE,
                smooth_shading=True,
                split_sharp_edges=True,
                specular=0.3,
                specular_power=25,
                ambient=0.25,
            )
            self._add_caster(obstacle.mesh.vertices, obstacle.mesh.faces, obstacle.path)

    def _add_floor(self, motion, half_width):
        """Adds a plane with a grid, whose spacing is a power of ten. It lies slightly below the true plane and the shadows."""
        plane = pyvista.Plane(
            center=(0, 0, -2 * self._lift), i_size=2 * half_width, j_size=2 * half_width
        )
        self._add(plane, motion, color=palette.FLOOR, lighting=False)
        lines = _grid_lines(half_width / 3, 10 ** np.floor(np.log10(half_width / 30))) - [
            0,
            0,
            0.5 * self._lift,
        ]
        grid = pyvista.line_segments_from_points(lines.reshape(-1, 3))
        self._add(
            grid, motion, color=palette.FLOOR_LINE, lighting=False, line_width=0.7 * self._supersampling
        )

    def _add_grips(self, scene):
        for grip in scene.grips:
            bar = grip_bar(self._trajectory, grip)
            if bar is None:
                continue
            self._add(_poly_data(*bar), grip.path, color=palette.GRIP, specular=0.3, ambient=0.25)
            self._add_caster(*bar, grip.path)

    def _add_caster(self, vertices, faces, motion):
        self._casters.append(
            lambda time_s: (motion.to_world(np.asarray(vertices), time_s), np.asarray(faces))
        )

    def _add_shadows(self, scene):
        """Adds the shadows of the key light on half-spaces. A shadow is a flattened copy of a surface."""
        for obstacle in scene.obstacles:
            if obstacle.mesh is not None:
                continue
            for caster in self._casters:
                vertices, faces = caster(self._trajectory.times[0])
                shadow = _poly_data(vertices, faces)
                self._plotter.add_mesh(shadow, color=palette.SHADOW, lighting=False)
                self._shadows.append((caster, shadow, obstacle.path))

    def _shade(self, vertices, floor, time_s):
        """Projects vertices [n, 3] along the key light onto a plane slightly below the floor.

        Vertices below the floor move vertically, because they cast no shadow.
        """
        local = floor.to_local(np.asarray(vertices, float), time_s)
        light = floor.to_local(np.vstack([np.zeros(3), self._key_direction]), time_s)
        light = light[1] - light[0]
        height = np.maximum(local[:, 2:3], 0)
        flat = local - height * light / min(light[2], -1e-3)
        flat[:, 2] = -self._lift
        return floor.to_world(flat, time_s)

    def _add_lights(self):
        heading = np.array([*self._direction[:2], 0])
        heading /= np.linalg.norm(heading)
        right = np.cross(heading, [0, 0, 1])
        self._key_direction = 0.45 * right + 0.1 * heading - np.array([0, 0, 1.0])
        fill = heading - 0.35 * right - np.array([0, 0, 0.1])
        for direction, intensity in ((self._key_direction, 0.8), (fill, 0.5)):
            light = pyvista.Light(position=-direction, focal_point=(0, 0, 0), intensity=intensity)
            light.positional = False
            self._plotter.add_light(light)

    def _aim(self, scene):
        places = places_to_see(self._trajectory, self._surface, scene)
        camera = Camera(self._direction, places, self._size[0] / self._size[1])
        self._plotter.camera.position = camera.position
        self._plotter.camera.focal_point = camera.focal_point
        self._plotter.camera.up = camera.up
        self._plotter.camera.view_angle = camera.view_angle_deg
        self._plotter.renderer.ResetCameraClippingRange()


def _matrix(motion, time_s):
    matrix = np.eye(4)
    matrix[:3, 3] = motion.at(time_s)[0]
    matrix[:3, :3] = motion.to_world(np.eye(3), time_s).T - matrix[:3, 3:4]
    return matrix
