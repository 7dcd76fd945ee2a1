"""The table of measured devices in docs/gpu.md is that of the program, and its results name the device and the size."""

import re

import pytest
from nodia_command import SOURCE

HEADER = SOURCE / "host/backend/measured_devices.hpp"
ROW = re.compile(r'\{"([^"]+)", "(\w+)", (\d+), "([^"]+)"\}')
PAGE_ROW = re.compile(r"^\| ([^|]+) \| `(\w+)` \| ([\d,]+) \| \[[^]]+\]\(([^)#]+)[^)]*\) \|$", re.M)


def rows_of_program():
    table = re.search(r"kMeasuredDevices\[\] = \{\n(.*?)\n\};", HEADER.read_text(encoding="utf-8"), re.S)[1]
    rows = ROW.findall(table)
    assert len(rows) == len(re.findall(r"\{", table)) > 0
    return [(device, solver, int(n_row), results) for device, solver, n_row, results in rows]


def rows_of_page():
    page = (SOURCE / "docs/gpu.md").read_text(encoding="utf-8")
    section = re.search(r"^## What `--backend auto` takes\n(.*?)^## ", page, re.M | re.S)[1]
    rows = PAGE_ROW.findall(section)
    assert len(rows) == len(re.findall(r"^\|", section, re.M)) - 2
    return [(device, solver, int(n_row.replace(",", "")), results) for device, solver, n_row, results in rows]


def test_the_page_has_the_rows_of_the_program():
    assert rows_of_page() == rows_of_program()


@pytest.mark.parametrize(("device", "solver", "n_row", "results"), rows_of_program())
def test_the_results_name_the_device_and_the_size(device, solver, n_row, results):
    page = (SOURCE / "docs" / results).read_text(encoding="utf-8")
    assert device in page and f"{n_row:,}" in page
