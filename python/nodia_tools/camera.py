"""A camera whose view encloses the visible objects as closely as possible."""

import numpy as np
import trimesh

from nodia_tools.scene import solids_of


class Camera:
    """Perspective view: `direction` is the unit vector from the camera into the scene, z is up."""

    def __init__(self, direction, points, aspect, diagonal_angle_deg=36.0, margin=1.06):
        """Places the camera as close as possible to `points` [n, 3] so that all of them are visible, with a margin.

        @param aspect  width / height of the picture
        """
        tangent = np.tan(np.radians(diagonal_angle_deg) / 2) / np.hypot(1, aspect)
        self.view_angle_deg = np.degrees(2 * np.arctan(tangent))
        forward = np.asarray(direction, float) / np.linalg.norm(direction)
        right = np.cross(forward, [0.0, 0.0, 1.0])
        right /= np.linalg.norm(right)
        up = np.cross(right, forward)
        tangent_y = tangent / margin
        tangent_x = tangent_y * aspect
        x, y, z = points @ right, points @ up, points @ forward
        # |x - cx| <= tangent_x (z + d) for all points; d is the distance of the camera behind the origin.
        x_span = (x - tangent_x * z).max() - (x + tangent_x * z).min()
        y_span = (y - tangent_y * z).max() - (y + tangent_y * z).min()
        distance = max(x_span / (2 * tangent_x), y_span / (2 * tangent_y))
        centre = right * _middle(x, z + distance) + up * _middle(y, z + distance)
        # Picture heights per metre, for objects at the depth of the origin.
        self.scale = 1 / (2 * tangent * distance)
        self.position = centre - distance * forward
        self.focal_point = centre + forward * z.mean()
        self.up = up


def _middle(x, depth):
    """Finds by bisection the c for which the largest and the smallest (x - c)/depth are opposite."""
    low, high = x.min(), x.max()
    for _ in range(60):
        c = (low + high) / 2
        picture = (x - c) / depth
        low, high = (c, high) if picture.max() + picture.min() > 0 else (low, c)
    return c


def _sample(trajectory):
    """Indices of at most 40 evenly spaced frames."""
    return np.unique(np.linspace(0, len(trajectory) - 1, 40).astype(int))


def body_places(trajectory, surface):
    """Positions of the surface's vertices, of the cable links and of the recorded bodies over the run [n, 3]."""
    places = []
    for frame in _sample(trajectory):
        points = trajectory.points(frame)
        places += [surface.vertices(points), points[np.unique(trajectory.lines())]]
        places.append(trajectory.poses(frame)[0][trajectory.body_poses])
    return np.vstack(places)


def moving_places(trajectory, surface, scene):
    """The points of body_places() and the corners of the rigid shapes over the run [n, 3]."""
    places = [body_places(trajectory, surface)]
    for solid in solids_of(trajectory, scene):
        corners = trimesh.bounds.corners(solid.mesh.bounds)
        for time_s in np.linspace(trajectory.times[0], trajectory.times[-1], 9):
            places.append(solid.path.to_world(corners, time_s))
    return np.vstack(places)


def places_to_see(trajectory, surface, scene):
    """The points of moving_places() and the vertices of the finite obstacles [n, 3].

    An obstacle may be much larger than the scene. Its vertices are therefore clipped to the bounding box of the moving
    points, enlarged by a tenth of its diagonal.
    """
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
    """Unit vector of the view direction: from above, across the horizontal path of the bodies' centre.

    @param elevation_deg  angle of the view direction below the horizontal [deg]
    @param turn_deg       rotation about the vertical, towards a view along the path [deg]
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
