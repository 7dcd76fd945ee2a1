"""What recorded poses are of."""


class PoseList:
    """`frames`: a dictionary a pose, with kind and name."""

    frames = ()

    @property
    def body_poses(self):
        """Indices of the poses of bodies."""
        return [
            index
            for index, frame in enumerate(self.frames)
            if frame["kind"] not in ("obstacle", "attachment")
        ]

    def find_pose(self, kind, name):
        """Index of the pose of an object; None where it is not recorded."""
        keys = [(frame["kind"], frame["name"]) for frame in self.frames]
        return keys.index((kind, name)) if (kind, name) in keys else None
