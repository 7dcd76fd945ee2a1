"""An old CPU is told what it lacks, before the compiled part could end with SIGILL."""

import subprocess
import sys

import pytest
from built_package import PACKAGE

from nodia._cpu import NEEDED, missing_features, require_cpu

HASWELL = (
    "processor\t: 0\nflags\t\t: fpu sse2 pni ssse3 fma cx16 sse4_1 sse4_2 movbe popcnt avx f16c lahf_lm abm bmi1 avx2 bmi2\n"
)


def without(*names):
    return "".join(HASWELL.replace(f" {name} ", " ").replace(f" {name}\n", "\n") for name in names)


def test_a_cpu_of_the_level_lacks_nothing():
    assert missing_features(HASWELL, "x86-64-v3") == []
    assert missing_features(HASWELL, "x86-64-v2") == []


@pytest.mark.parametrize("name", NEEDED["x86-64-v3"])
def test_every_feature_counts(name):
    assert missing_features(without(name), "x86-64-v3") == [name]


def test_names_are_words_not_parts_of_them():
    assert missing_features(without("avx"), "x86-64-v3") == ["avx"], "avx2 is another one"


def test_other_levels():
    assert "avx512f" in missing_features(HASWELL, "x86-64-v4")
    assert missing_features("flags\t: fpu\n", "") == []
    assert missing_features("flags\t: fpu\n", "native") == []
    assert missing_features("no flags here\n", "x86-64-v3") == []


def test_the_error_says_what_to_do():
    with pytest.raises(ImportError) as caught:
        require_cpu("flags : fpu sse2\n")
    for word in ("x86-64-v3", "avx2", "fma", "pip install .", "NODIA_ARCH="):
        assert word in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_check_comes_before_the_compiled_part():
    code = (
        f"import sys; sys.path.insert(0, {str(PACKAGE)!r})\n"
        "import builtins, io\n"
        "real = builtins.open\n"
        "builtins.open = lambda f, *a, **k: io.StringIO('flags : fpu') if f == '/proc/cpuinfo' else real(f, *a, **k)\n"
        "try:\n    import nodia\n"
        "except ImportError as error:\n    print('nodia._core' in sys.modules, error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("False nodia is built for")
