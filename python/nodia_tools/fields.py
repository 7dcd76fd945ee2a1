"""Fields that colour a surface: values, colours and the title of the legend."""

from dataclasses import dataclass

import numpy as np

from nodia_tools.command_line import InputError
from nodia_tools.contact_faces import ContactFaces
from nodia_tools.contact_list import ContactList

STATE_NAMES = ("open", "stick", "slip")
STATE_COLOURS = np.array([[0.90, 0.88, 0.83], [0.13, 0.44, 0.71], [0.93, 0.49, 0.13]])


@dataclass(frozen=True)
class Field:
    name: str
    title: str
    colour_map: str | None = None  # None: the colours of the contact states
    scale: float = 1.0  # shown value = value in SI units times scale


FIELDS = {
    field.name: field
    for field in (
        Field("contact_state", "contact"),
        Field("von_mises_Pa", "von Mises stress [kPa]", "viridis", 1e-3),
        Field("speed", "speed [m/s]", "plasma"),
    )
}


def field_named(name):
    if name not in FIELDS:
        raise InputError(f"--field = {name} (must be one of {', '.join(FIELDS)})")
    return FIELDS[name]


def _mapped(name, values):
    """RGBA in [0, 1] of values in [0, 1]."""
    from matplotlib import colormaps  # imported here because pictures of contact states do not need it

    return colormaps[name](values)


class FieldOnSurface:
    """Values of a field on a surface in each frame. Contact states are values of faces, other fields are values at vertices."""

    def __init__(self, field, trajectory, surface, step_s=0.0):
        """@param step_s  time step of the run [s], 0 if unknown"""
        needed = {
            "contact_state": ("contact_state", "contact_force"),
            "von_mises_Pa": ("von_mises_Pa",),
            "speed": ("velocity",),
        }[field.name]
        for name in needed:
            if name not in trajectory.point_names() + trajectory.cell_names():
                raise InputError(f"--field = {field.name} (the trajectory does not hold {name})")
        self.field = field
        self.on_faces = field.colour_map is None
        self._trajectory = trajectory
        self._surface = surface
        if self.on_faces:
            self._contacts = ContactList(trajectory, surface, step_s)
            self._faces = ContactFaces(trajectory, surface, self._contacts)
        self.upper = 1.0 if self.on_faces else self._upper_value()

    @property
    def title(self):
        """Title of the legend."""
        if not self.on_faces:
            return self.field.title
        through = ", seen through the sheet" if self._faces.seen_through else ""
        dots = "; each dot carries over 1 % of the force" if self._trajectory.bodies else ""
        return self.field.title + through + dots

    def marks(self, frame):
        """Positions of the contacts that are marked with a dot [n, 3] [m]."""
        return self._contacts.marks(frame) if self.on_faces else np.zeros((0, 3))

    def values(self, frame):
        """Contact states of the faces, 0, 1 or 2 [n_face]. Other fields: values at the vertices, in the unit of the title [n_vertex]."""
        trajectory, surface = self._trajectory, self._surface
        if self.on_faces:
            return self._faces.states(frame)
        if self.field.name == "speed":
            return self.field.scale * self._speed(frame, surface.nodes)
        stress = np.asarray(trajectory.cell_field("von_mises_Pa", frame), float)[surface.owner]
        return self.field.scale * surface.face_to_vertex(stress)

    def colours(self, frame):
        """RGB colour in [0, 1] of each value [n, 3]."""
        values = self.values(frame)
        if self.on_faces:
            return STATE_COLOURS[values]
        return _mapped(self.field.colour_map, np.nan_to_num(values) / self.upper)[:, :3]

    def point_colours(self, frame, points):
        """RGB colour in [0, 1] of points that are not on the surface, such as cable links [n, 3]. Stresses are grey there."""
        if self.field.name == "contact_state":
            state = self._trajectory.point_field("contact_state", frame)[points]
            return STATE_COLOURS[np.minimum(state, 2)]
        if self.field.name == "speed":
            shown = self.field.scale * self._speed(frame, points)
            return _mapped(self.field.colour_map, shown / self.upper)[:, :3]
        return np.full((len(points), 3), 0.6)

    def _speed(self, frame, points):
        velocity = np.asarray(self._trajectory.point_field("velocity", frame), float)[points]
        return np.linalg.norm(velocity, axis=1)

    def _upper_value(self):
        """Upper end of the colour scale: the 99.5 % quantile of the values in at most 40 frames."""
        frames = np.unique(np.linspace(0, len(self._trajectory) - 1, 40).astype(int))
        parts = [self.values(frame) for frame in frames]
        if self.field.name == "speed":
            links = np.unique(self._trajectory.lines())
            parts += [self.field.scale * self._speed(frame, links) for frame in frames]
        values = np.concatenate(parts)
        upper = np.quantile(values[np.isfinite(values)], 0.995) if np.isfinite(values).any() else 0
        return float(upper) if upper > 0 else 1.0
