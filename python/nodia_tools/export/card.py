"""Writes the README.md of an export: the contents of the data, their accuracy, and how they were generated."""

import numpy as np

from nodia_tools.export.dataset import counted

HUGGING_FACE_HEAD = """\
---
tags: [LeRobot, nodia]
task_categories: [robotics]
configs:
  - config_name: default
    data_files: data/*/*.parquet
---
"""
# Arrays of quality/ whose worst value is reported.
ERRORS = (
    "relative_residual",
    "natural_map_error",
    "error_estimate",
    "certificate_J",
    "penetration_m",
    "force_balance_N",
)
LICENCE = """\
Not stated here: the publisher of the data chooses a licence. Files that the scenario uses, such as meshes and URDFs,
keep the licence of their authors.
"""


class WorstErrors:
    """The largest finite value of each error over the good episodes."""

    def __init__(self):
        self.of = {}

    def see(self, arrays):
        for name in ERRORS:
            values = arrays.quality.get(name, np.empty(0))
            values = values[np.isfinite(values)]
            if len(values):
                self.of[name] = max(self.of.get(name, 0.0), float(values.max()))


def card(dataset, worst, columns, head=""):
    """Text of the page.

    @param worst    WorstErrors
    @param columns  (name, description) of each column of the export
    @param head     text before the title
    """
    solver, quality = dataset.scenario.get("solver", {}), dataset.description.quality
    n_good, n_all = len(dataset.good), len(dataset.episodes)
    n_success = sum(episode.success for episode in dataset.good)
    facts = [
        ("task", dataset.task),
        ("episodes", f"{n_good}; {n_success} of them reached the task's success"),
        (
            "frames",
            f"{sum(episode.steps for episode in dataset.good)}, {dataset.control_hz:g} per second of simulated time",
        ),
        ("quarantined", f"{n_all - n_good} of {n_all} episodes, {(n_all - n_good) / n_all:.2%}{_causes(dataset)}"),
        ("seed", dataset.seed),
        ("time step", f"{dataset.scenario['time']['step_s']} s"),
        ("solver", f"{solver.get('solver', 'auto')}, {solver.get('precision', 'double')} precision"),
        ("tolerance", f"{solver.get('tolerance', 'the default')} of the rule {solver.get('stop', 'auto')}"),
        ("build", "; ".join(sorted(dataset.builds))),
        ("content_sha256", dataset.content_sha256),
    ]
    n_redrawn = sum(episode.attempt > 0 for episode in dataset.episodes)
    errors = [(f"`{one.name}`", f"{worst.of[one.name]:.3g}", one.unit) for one in quality if one.name in worst.of]
    drawn = [(f"`{key}`", _shown(value)) for key, value in (dataset.scenario.get("randomize") or {}).items()]
    return "\n".join(
        [
            f"{head}# {dataset.name}\n",
            f"{dataset.scenario.get('description', '')}\n",
            "Simulated with nodia: soft bodies, robots and exact Coulomb friction in one solve. Every frame has the errors",
            "of its solution. `request.yaml` is the request of the dataset: the scenario, its values and ranges.\n",
            _table(("what", "value"), facts),
            "## Worst errors of a frame\n",
            _table(("quality", "worst", "unit"), errors),
            "`error_estimate` excludes time steps that ended at the absolute tolerance, such as steps at rest.\n",
            "## Values sampled in every episode\n",
            _table(("key", "range"), drawn) if drawn else "Nothing.\n",
            *(_redrawn(n_redrawn, n_all) if n_redrawn else ()),
            "## Columns\n",
            _table(("column", "contents"), columns),
            "## Licence\n",
            LICENCE,
        ]
    )


def action_in_words(components):
    """Describes an action: names, units and bounds of its components."""
    return ", ".join(f"{one.name} [{one.unit}] from {one.low:.9g} to {one.high:.9g}" for one in components)


def observation_in_words(observation):
    """Describes an observation: name, shape, names along the last axis, unit."""
    size = " x ".join(map(str, observation.shape))
    unit = f" [{observation.unit}]" if observation.unit else ""
    return f"{observation.name} ({size}: {', '.join(observation.parts)}){unit}"


def quality_in_words(quality):
    """Describes a quality array: its unit, and the meaning of the numbers of a status."""
    unit = f" [{quality.unit}]" if quality.unit else ""
    words = ", ".join(f"{number} {word}" for number, word in enumerate(quality.words))
    return f"value for the control step of the frame{unit}{': ' if words else ''}{words}"


def _causes(dataset):
    return f" ({counted(dataset.causes)})" if dataset.causes else ""


def _redrawn(n, n_all):
    return (
        f"Rejected starts were resampled, {n} of {n_all}: the values are those of accepted starts and do not cover",
        "their full ranges. The episodes of the dataset's blocks record the reasons.\n",
    )


def _shown(value):
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_shown(one)}" for key, one in value.items()) + "}"
    return f"[{', '.join(map(_shown, value))}]" if isinstance(value, list) else str(value)


def _table(head, rows):
    lines = [f"| {' | '.join(str(cell).replace('|', chr(92) + '|') for cell in row)} |" for row in (head, *rows)]
    return "\n".join([lines[0], "|" + "---|" * len(head), *lines[1:]]) + "\n"
