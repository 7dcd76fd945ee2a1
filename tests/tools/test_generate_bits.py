"""An episode has the same bits in its block, alone in a process, and replayed, in every precision."""

import h5py
import pytest
from nodia_command import needs_nodia, run
from push_dataset import GOOD, episodes_of, generate, push

pytestmark = [needs_nodia]

EPISODES = 20


def differing(one, other):
    """Names of attributes and arrays that two groups of HDF5 do not both have with the same bits."""

    def contents(group):
        bits = {f"@{name}": str(value) for name, value in group.attrs.items()}
        group.visititems(
            lambda name, item: bits.__setitem__(name, (item.dtype, item.shape, item[()].tobytes()))
            if isinstance(item, h5py.Dataset)
            else None
        )
        return bits

    left, right = contents(one), contents(other)
    return [name for name in left.keys() | right.keys() if left.get(name) != right.get(name)]


@pytest.mark.parametrize("precision", ["float", "mixed", "double"])
def test_an_episode_alone_and_replayed_has_the_bits_of_its_block(push, tmp_path, precision):
    words = (*GOOD, "--set", "solver.solver=cond", "--set", f"solver.precision={precision}")
    generate(push, tmp_path / "d", EPISODES, *words, "--threads", 2, "--oversubscribe")
    sums = [episode["sha256"] for episode in episodes_of(tmp_path / "d")]
    assert len(set(sums)) == EPISODES
    for k in range(EPISODES):
        alone = tmp_path / f"alone_{k}"
        generate(push, alone, EPISODES, *words, "--block", 1, "--shard", f"{k}/{EPISODES}")
        with h5py.File(tmp_path / f"d/blocks/{k // 8:06}.h5") as block, h5py.File(alone / f"blocks/{k:06}.h5") as own:
            assert differing(block[f"episode_{k:06}"], own[f"episode_{k:06}"]) == []
        assert [episode["sha256"] for episode in episodes_of(alone)] == sums[k : k + 1]
        done = run("replay", tmp_path / "d", "--episode", k)
        assert done.returncode == 0 and "every bit as recorded" in done.stdout, done.stderr
