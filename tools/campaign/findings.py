"""What a check found."""

from dataclasses import asdict, dataclass


@dataclass(frozen=True)
class Finding:
    """A violation: in which step, of which body or bodies, how large, and what the bound is."""

    check: str  # one of CHECKS
    step: int  # number of the step, from 1
    body: str
    value: float
    bound: float
    unit: str

    def text(self):
        return f"{self.check}: step {self.step}, {self.body}: {self.value:.4g} {self.unit} (bound {self.bound:.4g})"

    def record(self):
        return asdict(self)


def worst(findings):
    """One finding per check and body: that with the largest ratio of value and bound."""
    kept = {}
    for finding in findings:
        key = (finding.check, finding.body)
        if key not in kept or finding.value * kept[key].bound > kept[key].value * finding.bound:
            kept[key] = finding
    return list(kept.values())
