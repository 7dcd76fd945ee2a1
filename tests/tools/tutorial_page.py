"""docs/tutorial.md in two parts: its first section, which is the installation, and the rest."""

from shown_commands import code_blocks, page_text

TUTORIAL = "docs/tutorial.md"


def text_after_the_installation():
    _, heading, after = page_text(TUTORIAL).partition("## 1. Install nodia and Gmsh")
    assert heading
    return after[after.index("\n## ") :]


def commands_after_the_installation():
    """Lines of the blocks of shell commands, blanks made one."""
    return [" ".join(line.split()) for block in code_blocks(TUTORIAL, "sh")[1:] for line in block.splitlines()]
