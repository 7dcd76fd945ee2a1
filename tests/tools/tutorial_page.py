"""docs/tutorial.md in two parts: its first section, which is the installation, and the rest."""

import re

from shown_commands import code_blocks, page_text

TUTORIAL = "docs/tutorial.md"


def text_after_the_installation():
    _, heading, after = page_text(TUTORIAL).partition("## 1. Install nodia and Gmsh")
    assert heading
    return after[after.index("\n## ") :]


def shown_after_the_installation():
    """Names of the files that the page writes, and lines of the blocks of shell commands, blanks made one."""
    files = re.findall(r"^`([\w.-]+)`:$", page_text(TUTORIAL), re.M)
    return files + [" ".join(line.split()) for block in code_blocks(TUTORIAL, "sh")[1:] for line in block.splitlines()]
