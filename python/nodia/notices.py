"""Categories of the package's warnings: the input is valid, but may be a mistake of the user."""


class ScenarioWarning(UserWarning):
    """A valid value of a scenario that may be a mistake."""


class OverlapWarning(UserWarning):
    """Two objects overlap."""
