"""Every command that README.md, docs/ and the scenarios' README.md show, taken from the pages.

A command is a line of a shell block (fenced as sh or without a language, or indented) and a code span that
names a program (`nodia info`), an option (`--envs N`) or a value for --set (`cable.links=80`). What stands
behind # in a block is searched like text.
"""

import re
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]

FENCED = re.compile(r"^```(\w*)\n(.*?)^```$", re.M | re.S)
INDENTED = re.compile(r"(?:^    .*\n)+", re.M)
SPAN = re.compile(r"`([^`]+)`")
OPTION = re.compile(r"(?<!\S)--[a-z][\w-]*")
PROGRAM = re.compile(r"\$?nodia|[\w/]+\.(sh|py)|nodia_bundle/run|NODIA_\w+=\S+|tar|git|cmake|ctest|python3?")
SETTING = re.compile(r"[a-z_]+(\.\w+)*=\S+")


def pages():
    """The pages, from the root of the tree."""
    found = [SOURCE / "README.md", *SOURCE.glob("docs/**/*.md"), *SOURCE.glob("scenarios/*/README.md")]
    return sorted(str(page.relative_to(SOURCE)) for page in found)


def page_text(page):
    return (SOURCE / page).read_text(encoding="utf-8")


def code_blocks(page, language):
    """Fenced blocks of a language on a page, in order."""
    return [block for name, block in FENCED.findall(page_text(page)) if name == language]


def shown_commands(page):
    """Texts of the commands that a page shows, blanks made one, each once, blocks before spans.

    An option alone (`--check`) is left out where another text has it: there it is in use.
    """
    text = page_text(page)
    shown, prose = [], []
    for name, block in FENCED.findall(text):
        if name in ("sh", ""):
            _take_block(block, name == "sh", shown, prose)
    text = FENCED.sub("", text)
    for block in INDENTED.findall(text):
        _take_block(block, False, shown, prose)
    prose.append(INDENTED.sub("\n", text))
    for part in prose:
        spans = [" ".join(span.split()).replace("\\|", "|") for span in SPAN.findall(part)]
        shown += [span for span in spans if _is_command(span)]
    used = {word for text in shown if " " in text for word in text.split()}
    return [text for text in dict.fromkeys(shown) if not text.startswith("--") or text not in used]


def _take_block(block, surely_shell, shown, prose):
    """Appends the commands of a block; of one that may be something else where its first word is a program."""
    lines = re.sub(r"\\\n\s*", " ", block).splitlines()
    if not surely_shell and not PROGRAM.fullmatch(lines[0].split()[0]):
        return
    for line in lines:
        command, _, comment = re.sub(r"(^|\s)#\s", "\0", line, count=1).partition("\0")
        if command.strip():
            shown.append(" ".join(command.split()))
        shown += OPTION.findall(comment)
        prose.append(comment)


def _is_command(span):
    return (
        span.startswith("--")
        or bool(PROGRAM.fullmatch(span.split()[0]))
        or bool(SETTING.fullmatch(span))
    )
