"""The columns of a LeRobotDataset: the inputs and outputs of policies, and further values of a frame.

A frame is a control step: the observations before its action, the action, and its results.
"""

from dataclasses import dataclass

import numpy as np
import pyarrow

STATE, ENVIRONMENT = "observation.state", "observation.environment_state"


@dataclass(frozen=True)
class Feature:
    """A column of vectors, or of numbers if its size is 1.

    @param names    names of the components; None if the name of the column is sufficient
    @param sources  observations that the column concatenates, in order
    """

    dtype: str
    size: int = 1
    names: tuple[str, ...] | None = None
    sources: tuple[str, ...] = ()

    def described(self):
        """Entry of the feature in info.json."""
        return {"dtype": self.dtype, "shape": [self.size], "names": None if self.names is None else list(self.names)}

    def arrow_type(self):
        number = {"float32": pyarrow.float32(), "int64": pyarrow.int64(), "bool": pyarrow.bool_()}[self.dtype]
        return number if self.size == 1 else pyarrow.list_(number, self.size)

    def arrow_array(self, values):
        """Converts values to an Arrow array.

        @param values  [n_frame, size]
        """
        flat = pyarrow.array(np.ascontiguousarray(values, self.dtype).ravel())
        return flat if self.size == 1 else pyarrow.FixedSizeListArray.from_arrays(flat, self.size)


def values_of(column):
    """Values [n_frame, size] of a table column that Feature.arrow_array() created."""
    parts = [part.flatten() if pyarrow.types.is_fixed_size_list(part.type) else part for part in column.chunks]
    flat = np.concatenate([part.to_numpy(zero_copy_only=False) for part in parts])
    return flat.reshape(len(column), -1)


def features_of(dataset):
    """Features by name, in the order of the columns.

    Observations of robots and of frames that the actions move form the state. All other observations form the environment state.
    """
    described = dataset.description
    found = {}
    for name, acts in ((STATE, True), (ENVIRONMENT, False)):
        parts = [seen for seen in described.observations if dataset.acts(seen) == acts]
        names = tuple(component for seen in parts for component in seen.components)
        if parts:
            found[name] = Feature("float32", len(names), names, tuple(seen.name for seen in parts))
    found["action"] = Feature("float32", len(described.action), tuple(component.name for component in described.action))
    found |= {"next.reward": Feature("float32"), "next.done": Feature("bool"), "next.success": Feature("bool")}
    found |= {f"quality.{one.name}": Feature("int64" if one.whole else "float32") for one in described.quality}
    found["timestamp"] = Feature("float32")
    return found | {name: Feature("int64") for name in ("frame_index", "episode_index", "index", "task_index")}


def columns_of(arrays, features, fps, episode_index, first_index):
    """Values [n_frame, size] of all features of an episode, by name.

    @param first_index  number of its first frame among all frames of the export
    """
    n = len(arrays.action)
    frame = np.arange(n)
    columns = {
        "action": arrays.action,
        "next.reward": arrays.reward,
        "next.done": arrays.done,
        "next.success": arrays.success,
        "timestamp": frame / fps,
        "frame_index": frame,
        "episode_index": np.full(n, episode_index),
        "index": first_index + frame,
        "task_index": np.zeros(n),
    }
    columns |= {f"quality.{name}": values for name, values in arrays.quality.items()}
    for name in features.keys() & {STATE, ENVIRONMENT}:
        parts = [arrays.observations[source][:n].reshape(n, -1) for source in features[name].sources]
        columns[name] = np.concatenate(parts, axis=1)
    return {name: columns[name].astype(one.dtype).reshape(n, one.size) for name, one in features.items()}
