"""Pages, comments and messages use none of the expressions of language.txt."""

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
SOURCE = HERE.parents[1]
SEPARATOR = " ;; "
CODE_SPAN = re.compile(r"`[^`\n]+`")
# A blank of an expression: blanks, or a line break with the comment mark of the next line.
BLANK = r"(?:[ \t]+|[ \t]*\n[ \t]*(?:#+|//+[/<!]*)?[ \t]*)"


@dataclass(frozen=True)
class Rule:
    """A line of language.txt."""

    expression: str
    replacement: str
    wrong: str
    right: str

    @property
    def pattern(self):
        letters = re.sub(r"\\.", "", self.expression)
        case = re.IGNORECASE if letters == letters.lower() else 0
        return re.compile(self.expression.replace(" ", BLANK), case)


def lines_of(name):
    """Lines of a list of this folder, without empty lines and comments."""
    lines = (HERE / name).read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line.strip() and not line.startswith("# ") and line != "#"]


def rules():
    return [Rule(*line.split(SEPARATOR)) for line in lines_of("language.txt")]


def searched_files(pattern):
    return sorted(path for path in SOURCE.glob(pattern) if path.is_file())


def findings(text, name, known_rules):
    """`file:line: "expression" -> replacement` for every expression in the text."""
    if name.endswith(".md"):
        text = CODE_SPAN.sub("``", text)
    found = []
    for rule in known_rules:
        for match in rule.pattern.finditer(text):
            line = text.count("\n", 0, match.start()) + 1
            found.append((line, f'{name}:{line}: "{re.sub(BLANK, " ", match[0])}" -> {rule.replacement}'))
    return [message for _, message in sorted(found)]


def test_every_line_has_four_fields():
    lines = lines_of("language.txt")
    assert len(lines) > 20
    fields = [line.split(SEPARATOR) for line in lines]
    assert [line for line, parts in zip(lines, fields) if len(parts) != 4 or not all(map(str.strip, parts))] == []
    assert len({parts[0] for parts in fields}) == len(lines)


@pytest.mark.parametrize("rule", rules(), ids=lambda rule: rule.expression)
def test_an_expression_is_found_where_it_is_wrong_and_only_there(rule):
    assert rule.pattern.search(rule.wrong)
    assert not findings(rule.right, "sentence.txt", rules())
    assert not findings(rule.replacement, "sentence.txt", rules())


def test_findings_name_file_line_and_replacement():
    text = "# A run.\n# The next run goes\n# on, with the\n# virtual nodes of `the keeper`.\n"
    assert findings(text, "docs/page.md", rules()) == [
        'docs/page.md:2: "goes on" -> continues, restarts',
        'docs/page.md:4: "virtual nodes" -> penalty-coupled contact node',
    ]


@pytest.mark.parametrize("pattern", lines_of("language_paths.txt"))
def test_files_use_none_of_the_expressions(pattern):
    files = searched_files(pattern)
    assert files, f"language_paths.txt: {pattern} (must match a file)"
    found = [
        message
        for path in files
        for message in findings(path.read_text(encoding="utf-8"), str(path.relative_to(SOURCE)), rules())
    ]
    assert not found, "\n".join(found)
