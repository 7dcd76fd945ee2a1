"""What a body can be coloured by: values on its surface, colours, legend."""

from dataclasses import dataclass

import numpy as np

from nodia_tools.command_line import InputError

STATE_NAMES = ("open", "stick", "slip")
STATE_COLOURS = np.array([[0.90, 0.88, 0.83], [0.13, 0.44, 0.71], [0.93, 0.49, 0.13]])


@dataclass(frozen=True)
class Field:
    name: str
    title: str
    colour_map: str | None = None  # none: the three contact states
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
    from matplotlib import colormaps  # who draws contact states alone does without

    return colormaps[name](values)


class FieldOnSurface:
    """Values of a field at the vertices of a surface, frame by frame.

    The contact state of a sheet's far side is shown on both sides: the side in contact is the one
    nobody sees.
    """

    def __init__(self, field, trajectory, surface):
        needed = {
            "contact_state": "contact_state",
            "von_mises_Pa": "von_mises_Pa",
            "speed": "velocity",
        }[field.name]
        if needed not in trajectory.point_names() + trajectory.cell_names():
            raise InputError(f"--field = {field.name} (the trajectory does not hold {needed})")
        self.field = field
        self._trajectory = trajectory
        self._surface = surface
        self._behind = (
            surface.other_side(trajectory.points(0)) if field.colour_map is None else None
        )
        self.upper = 1.0 if field.colour_map is None else self._upper_value()

    def values(self, frame):
        """[n_vertex]; contact states as 0, 1, 2, else the shown value."""
        trajectory, surface = self._trajectory, self._surface
        if self.field.name == "contact_state":
            state = np.minimum(
                trajectory.point_field("contact_state", frame)[surface.nodes], 2
            ).astype(int)
            return self._shown_on_both_sides(state)
        if self.field.name == "speed":
            return self.field.scale * self._speed(frame, surface.nodes)
        stress = np.asarray(trajectory.cell_field("von_mises_Pa", frame), float)[surface.owner]
        return self.field.scale * surface.face_to_vertex(stress)

    def _shown_on_both_sides(self, state):
        if self._behind is None:
            return state
        shown = np.maximum(state, state[self._behind])
        np.maximum.at(shown, self._behind, state)
        return shown

    def colours(self, frame):
        """RGB in [0, 1], [n_vertex, 3]."""
        values = self.values(frame)
        if self.field.colour_map is None:
            return STATE_COLOURS[values]
        return _mapped(self.field.colour_map, np.nan_to_num(values) / self.upper)[:, :3]

    def point_colours(self, frame, points):
        """RGB in [0, 1] of points that are no nodes of the surface, [n, 3]; grey for a stress."""
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
        """Upper end of the colour scale: the 99.5 % quantile over at most 40 frames."""
        frames = np.unique(np.linspace(0, len(self._trajectory) - 1, 40).astype(int))
        parts = [self.values(frame) for frame in frames]
        if self.field.name == "speed":
            links = np.unique(self._trajectory.lines())
            parts += [self.field.scale * self._speed(frame, links) for frame in frames]
        values = np.concatenate(parts)
        upper = np.quantile(values[np.isfinite(values)], 0.995) if np.isfinite(values).any() else 0
        return float(upper) if upper > 0 else 1.0
