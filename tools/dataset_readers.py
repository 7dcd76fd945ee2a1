"""Checks that LeRobot and robomimic read the exports of a dataset correctly.

Usage: dataset_readers.py DATASET LEROBOT ROBOMIMIC    three folders; in an environment with both readers
"""

import json
import sys
from pathlib import Path

import h5py
import numpy as np
import torch


def good_episodes(dataset):
    """Yields (number, arrays by name) of every episode that is not quarantined, in order."""
    for path in sorted(Path(dataset).glob("blocks/*.h5")):
        with h5py.File(path) as file:
            for group in file.values():
                if group.attrs["status"] == "good":
                    names = []
                    group.visit(names.append)
                    arrays = {name: group[name][()] for name in names if isinstance(group[name], h5py.Dataset)}
                    yield int(group.attrs["episode"]), arrays


def joined(arrays, components, n):
    """Values [n, ...] of the observations whose names are prefixes of the components."""
    seen = {
        name.partition("/")[2]: values[:n].reshape(n, -1) for name, values in arrays.items() if "observation/" in name
    }
    own = dict.fromkeys(max((name for name in seen if one.startswith(f"{name}.")), key=len) for one in components)
    return np.hstack([seen[name] for name in own])


def check_lerobot(dataset, folder):
    from lerobot.datasets.lerobot_dataset import LeRobotDataset
    from lerobot.policies.act.configuration_act import ACTConfig
    from lerobot.policies.factory import make_policy, make_pre_post_processors

    episodes = list(good_episodes(dataset))
    plain = LeRobotDataset("local/nodia", root=folder)
    fps, features = plain.fps, plain.meta.features
    ahead = [0, 1 / fps, 3 / fps]
    window = LeRobotDataset(
        "local/nodia", root=folder, delta_timestamps={"action": ahead, "observation.state": [-1 / fps, 0]}
    )
    assert plain.num_episodes == len(episodes)
    first = 0
    for _, arrays in episodes:
        n = len(arrays["action"])
        state = joined(arrays, features["observation.state"]["names"], n)
        world = joined(arrays, features["observation.environment_state"]["names"], n)
        for k in range(n):
            frame, over = plain[first + k], window[first + k]
            np.testing.assert_array_equal(frame["action"], arrays["action"][k])
            np.testing.assert_array_equal(frame["observation.state"], state[k])
            np.testing.assert_array_equal(frame["observation.environment_state"], world[k])
            assert frame["next.done"] == bool(arrays["terminated"][k] | arrays["truncated"][k])
            assert frame["task"] == plain.meta.tasks.index[0]
            places = np.minimum(k + np.arange(4)[[0, 1, 3]], n - 1)
            np.testing.assert_array_equal(over["action"], arrays["action"][places])
            np.testing.assert_array_equal(over["action_is_pad"], k + np.array([0, 1, 3]) >= n)
            np.testing.assert_array_equal(over["observation.state"], state[[max(k - 1, 0), k]])
        alone = LeRobotDataset("local/nodia", root=folder, episodes=[int(plain[first]["episode_index"])])
        assert len(alone) == n
        first += n
    assert len(plain) == first
    batches = [batch["action"].shape[0] for batch in torch.utils.data.DataLoader(window, batch_size=16, shuffle=True)]
    assert sum(batches) == first
    policy_of = ACTConfig(chunk_size=3, n_action_steps=3, device="cpu", push_to_hub=False)
    policy = make_policy(policy_of, ds_meta=plain.meta)
    to_policy, _ = make_pre_post_processors(policy_of, dataset_stats=plain.meta.stats)
    chunks = LeRobotDataset("local/nodia", root=folder, delta_timestamps={"action": [0, 1 / fps, 2 / fps]})
    loss, _ = policy.forward(to_policy(next(iter(torch.utils.data.DataLoader(chunks, batch_size=8)))))
    assert torch.isfinite(loss)
    import lerobot

    print(f"lerobot {lerobot.__version__}: {len(episodes)} episodes, {first} frames, windows, batches, a step of ACT")


def check_robomimic(dataset, folder):
    import robomimic
    import robomimic.utils.file_utils as files
    import robomimic.utils.obs_utils as observations
    from robomimic.utils.dataset import SequenceDataset

    path = str(Path(folder) / "dataset.hdf5")
    environment = files.get_env_metadata_from_dataset(path)["env_kwargs"]
    keys = environment["observations"]
    observations.initialize_obs_utils_with_obs_specs(
        {"obs": {"low_dim": list(keys), "rgb": [], "depth": [], "scan": []}}
    )
    shapes = files.get_shape_metadata_from_dataset(path, all_obs_keys=list(keys))
    low, high = np.array(environment["action_low"]), np.array(environment["action_high"])
    assert shapes["ac_dim"] == len(low)
    found = set()
    for mask in ("train", "valid"):
        read = SequenceDataset(
            hdf5_path=path, obs_keys=list(keys), dataset_keys=["actions", "rewards", "dones"], seq_length=3,
            frame_stack=1, pad_seq_length=True, pad_frame_stack=True, hdf5_cache_mode="low_dim", hdf5_use_swmr=True,
            load_next_obs=True, filter_by_attribute=mask,
        )  # fmt: skip
        place = {demo: read._demo_id_to_start_indices[demo] for demo in read.demos}
        for number, arrays in good_episodes(dataset):
            if f"demo_{number}" not in place:
                continue
            found.add(number)
            n = len(arrays["action"])
            for k in range(n):
                row = read[place[f"demo_{number}"] + k]
                steps = np.minimum(k + np.arange(3), n - 1)
                given = low + (row["actions"] + 1) / 2 * (high - low)
                np.testing.assert_allclose(given, arrays["action"][steps], rtol=0, atol=1e-6)
                for key, name in keys.items():
                    values = arrays[f"observation/{name}"]
                    np.testing.assert_array_equal(row["obs"][key], values[steps])
                    np.testing.assert_array_equal(row["next_obs"][key], values[steps + 1])
        batches = torch.utils.data.DataLoader(read, batch_size=16, shuffle=True)
        assert sum(batch["actions"].shape[0] for batch in batches) == len(read)
        read.close_and_delete_hdf5_handle()
    assert found == {number for number, _ in good_episodes(dataset)}
    print(f"robomimic {robomimic.__version__}: {len(found)} episodes, {json.dumps(shapes['all_shapes'])}")


if __name__ == "__main__":
    check_lerobot(sys.argv[1], sys.argv[2])
    check_robomimic(sys.argv[1], sys.argv[3])
