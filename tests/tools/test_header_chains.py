"""tools/header_chains.py: which headers one compilation holds to compiling alone."""

import importlib.util
import itertools
import random

import pytest
from nodia_command import SOURCE

spec = importlib.util.spec_from_file_location("header_chains", SOURCE / "tools/header_chains.py")
header_chains = importlib.util.module_from_spec(spec)
spec.loader.exec_module(header_chains)


def random_headers(seed):
    """{header: what it includes}, of which some stand nowhere; no header includes itself."""
    draw = random.Random(seed)
    names = [f"{letter}.hpp" for letter in "abcdefghij"]
    return {
        name: draw.sample(names[:k], draw.randrange(min(k, 3) + 1)) + draw.choice([[], ["elsewhere.hpp"]])
        for k, name in enumerate(names)
    }


def largest_set_apart(below):
    """How many headers there can be of which none includes another: the least number of chains (Dilworth)."""
    return max(
        len(chosen)
        for n in range(1, len(below) + 1)
        for chosen in itertools.combinations(below, n)
        if not any(a in below[b] or b in below[a] for a, b in itertools.combinations(chosen, 2))
    )


@pytest.mark.parametrize("seed", range(20))
def test_every_header_is_in_one_chain_in_which_each_includes_the_one_before(seed):
    below = header_chains.reached(random_headers(seed))
    chains = header_chains.chains(below)
    assert sorted(itertools.chain(*chains)) == sorted(below)
    assert all(a in below[b] for chain in chains for a, b in itertools.pairwise(chain))
    assert len(chains) == largest_set_apart(below)


def test_what_is_included_where_something_is_defined_counts_for_nothing():
    text = '#pragma once\n#include "a.hpp"\n#ifdef X\n#include "b.hpp"\n#if Y\n#endif\n#include "c.hpp"\n#endif\n# include "d.hpp"\n'
    assert header_chains.includes(text) == ["a.hpp", "d.hpp"]
