"""A camera that looks at everything there is to see and no further."""

import numpy as np
import trimesh

from nodia_tools.scene import solids_of


class Camera:
    """Perspective view: `direction` is the unit vector from the camera into the scene, z is up."""

    def __init__(self, direction, points, aspect, diagonal_angle_deg=36.0, margin=1.06):
        """Stands as close as `points` [n, 3], with a margin, allow; aspect is width/height."""
        tangent = np.tan(np.radians(diagonal_angle_deg) / 2) / np.hypot(1, aspect)
        self.view_angle_deg = np.degrees(2 * np.arctan(tangent))
        forward = np.asarray(direction, float) / np.linalg.norm(direction)
        right = np.cross(forward, [0.0, 0.0, 1.0])
        right /= np.linalg.norm(right)
        up = np.cross(right, forward)
        tangent_y = tangent / margin
        tangent_x = tangent_y * aspect
        x, y, z = points @ right, points @ up, points @ forward
        # |x - cx| <= tangent_x (z + d) for all points, d the camera's distance behind the origin.
        x_span = (x - tangent_x * z).max() - (x + tangent_x * z).min()
        y_span = (y - tangent_y * z).max() - (y + tangent_y * z).min()
        distance = max(x_span / (2 * tangent_x), y_span / (2 * tangent_y))
        centre = right * _middle(x, z + distance) + up * _middle(y, z + distance)
        self.scale = 1 / (
            2 * tangent * distance
        )  # of things at the origin's depth, in picture heights per metre
        self.position = centre - distance * forward
        self.focal_point = centre + forward * z.mean()
        self.up = up


def _middle(x, depth):
    """The c for which the largest and the smallest (x - c)/depth are opposite, by bisection."""
    low, high = x.min(), x.max()
    for _ in range(60):
        c = (low + high) / 2
        picture = (x - c) / depth
        low, high = (c, high) if picture.max() + picture.min() > 0 else (low, c)
    return c


def _sample(trajectory):
    """At most 40 frames, evenly spread."""
    return np.unique(np.linspace(0, len(trajectory) - 1, 40).astype(int))


def body_places(trajectory, surface):
    """Where the surface's vertices, the links of cables and the recorded poses come by [n, 3]."""
    places = []
    for frame in _sample(trajectory):
        points = trajectory.points(frame)
        places += [surface.vertices(points), points[np.unique(trajectory.lines())]]
        places.append(trajectory.poses(frame)[0][trajectory.body_poses])
    return np.vstack(places)


def moving_places(trajectory, surface, scene):
    """The same with the shapes on the poses [n, 3]."""
    places = [body_places(trajectory, surface)]
    for solid in solids_of(trajectory, scene):
        corners = trimesh.bounds.corners(solid.mesh.bounds)
        for time_s in np.linspace(trajectory.times[0], trajectory.times[-1], 9):
            places.append(solid.path.to_world(corners, time_s))
    return np.vstack(places)


def places_to_see(trajectory, surface, scene):
    """The same with the finite obstacles [n, 3], but for what of them is farther from all that moves
    than a tenth of their extent: an obstacle may be much larger than the scene."""
    moving = moving_places(trajectory, surface, scene)
    low, high = moving.min(axis=0), moving.max(axis=0)
    reach = 0.1 * np.linalg.norm(high - low)
    places = [moving]
    for obstacle in scene.obstacles:
        if obstacle.mesh is not None:
            for time_s in np.linspace(trajectory.times[0], trajectory.times[-1], 9):
                vertices = obstacle.path.to_world(np.asarray(obstacle.mesh.vertices), time_s)
                places.append(np.clip(vertices, low - reach, high + reach))
    return np.vstack(places)


def side_view(trajectory, elevation_deg=24.0, turn_deg=38.0):
    """Direction of view: from above, across the horizontal way of the body's centre.

    @param turn_deg  about the vertical, towards a look along that way
    """
    places = [
        np.vstack([trajectory.points(frame), trajectory.poses(frame)[0][trajectory.body_poses]])
        for frame in _sample(trajectory)
    ]
    centres = np.array([place.mean(axis=0)[:2] for place in places])
    _, size, axes = np.linalg.svd(centres - centres.mean(axis=0), full_matrices=False)
    along = axes[0] if size[0] > 1e-6 else np.array([1.0, 0.0])
    along = along * np.copysign(1, along @ (centres[-1] - centres[0]))
    turn, elevation = np.radians(turn_deg), np.radians(elevation_deg)
    heading = np.cos(turn) * np.array([-along[1], along[0]]) + np.sin(turn) * along
    return np.array([*(np.cos(elevation) * heading), -np.sin(elevation)])
