"""What is told by `warnings`: nothing is wrong, and yet somebody may have meant otherwise."""


class ScenarioWarning(UserWarning):
    """What a good scenario may have meant otherwise."""


class OverlapWarning(UserWarning):
    """Objects that lie in each other."""
