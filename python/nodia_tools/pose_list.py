"""The objects to which recorded poses belong."""


class PoseList:
    """`frames` holds one dictionary per pose, with the kind and the name of its object."""

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
        """Index of the pose of an object. None if its pose is not recorded."""
        keys = [(frame["kind"], frame["name"]) for frame in self.frames]
        return keys.index((kind, name)) if (kind, name) in keys else None
