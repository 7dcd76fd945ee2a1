"""Draws a surface in the browser with the colours of a field, and the legend of the field."""

import numpy as np
from matplotlib import colormaps

from nodia_tools.fields import STATE_COLOURS, STATE_NAMES

N_SHADE = 24  # colours of a continuous field


def add_mesh(server, name, vertices, faces, **options):
    """A mesh with flat faces that are visible from both sides."""
    return server.scene.add_mesh_simple(
        name,
        vertices.astype(np.float32),
        faces.astype(np.uint32),
        flat_shading=True,
        side="double",
        **options,
    )


class ColouredSurface:
    """A surface in the browser: one mesh per colour, each face in the mesh of its colour.

    viser's plain mesh has a single colour, and only plain meshes can be updated in place at video
    speed. A mesh without faces stays visible but empty. Hiding it would not work: the browser applies
    visibility at once but geometry one picture later, so that a mesh which is shown again would first
    appear at its former place.
    """

    def __init__(self, server, trajectory, surface):
        self._trajectory, self._surface = trajectory, surface
        vertices, no_faces = surface.vertices(trajectory.points(0)), np.zeros((0, 3))
        self._meshes = [
            add_mesh(server, f"/body/{i}", vertices, no_faces)
            for i in range(N_SHADE if len(surface.faces) else 0)
        ]

    def recolour(self, coloured):
        """Yields the changes that give the meshes the colours of another field: (handle, name of its property, new value)."""
        self._coloured = coloured
        if coloured.on_faces:
            colours = STATE_COLOURS
        else:
            colours = colormaps[coloured.field.colour_map](np.linspace(0, 1, N_SHADE))[:, :3]
        for mesh, colour in zip(self._meshes, colours):
            yield mesh, "color", tuple(int(c) for c in np.round(255 * colour))

    def move_to(self, time_s):
        """Yields the changes that show the surface at a time [s]."""
        vertices = self._surface.vertices(self._trajectory.points_at(time_s)).astype(np.float32)
        shades = self._face_shades(self._trajectory.nearest(time_s))
        for shade, mesh in enumerate(self._meshes):
            faces = self._surface.faces[shades == shade].astype(np.uint32)
            yield mesh, "faces", faces
            if len(faces) > 0:
                yield mesh, "vertices", vertices

    def _face_shades(self, frame):
        values = self._coloured.values(frame)
        if self._coloured.on_faces:
            return values
        values = values[self._surface.faces]
        share = np.nan_to_num(values.mean(axis=1)) / self._coloured.upper
        return np.clip(np.round(share * (N_SHADE - 1)), 0, N_SHADE - 1).astype(int)


def _css(colour):
    return "rgb({}, {}, {})".format(*np.round(255 * np.asarray(colour)).astype(int))


def legend_of(coloured):
    """The legend of a coloured field as HTML."""
    if coloured.on_faces:
        box = "display:inline-block;width:1em;height:1em;margin:0 .3em 0 .8em;border:1px solid"
        patches = [
            f'<span style="{box};background:{_css(colour)}"></span>{name}'
            for name, colour in zip(STATE_NAMES, STATE_COLOURS)
        ]
        return f'<div style="padding:.4em .6em">{coloured.title}<br>{"".join(patches)}</div>'
    colours = colormaps[coloured.field.colour_map](np.linspace(0, 1, 8))[:, :3]
    gradient = ", ".join(_css(colour) for colour in colours)
    bar = f"height:.8em;background:linear-gradient(to right, {gradient})"
    return (
        f'<div style="padding:.4em 1em">{coloured.field.title}<div style="{bar}"></div>'
        '<div style="display:flex;justify-content:space-between">'
        f"<span>0</span><span>{coloured.upper:.3g}</span></div></div>"
    )
