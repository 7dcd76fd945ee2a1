"""What the files of a tree say about themselves: comments, pages, links, definitions of functions."""

import ast
import re
from dataclasses import dataclass
from fnmatch import fnmatch
from functools import cache, cached_property
from pathlib import Path

FOLDERS = (".ci", "cmake", "docs", "examples", "fem", "host", "kernels", "python", "scenarios", "tests", "tools")
CPP = {".hpp", ".cpp", ".cu", ".cuh", ".h"}
HASH = {".sh", ".cmake", ".yaml", ".txt"}

TOKEN = re.compile(
    r'(?P<string>R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\')'
    r"|(?P<comment>//[^\n]*|/\*.*?\*/)",
    re.S,
)
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.M | re.S)
SPAN = re.compile(r"`([^`\n]+)`")
LINK = re.compile(r"\]\(([^)\s]+)\)|^\[[^\]]+\]:\s*(\S+)", re.M)
HEADING = re.compile(r"^#+ +(.+?) *$", re.M)


@dataclass(eq=False)
class Tree:
    """The files under a root, as the repository has them."""

    root: Path

    @cached_property
    def paths(self):
        """Of all files, relative to the root; no build folders, no caches."""
        found = [path for path in self.root.glob("*") if path.is_file()]
        for folder in FOLDERS:
            found += [path for path in (self.root / folder).rglob("*") if path.is_file()]
        names = [path.relative_to(self.root) for path in found]
        return sorted(path for path in names if "__pycache__" not in path.parts and path.suffix != ".pyc")

    @cached_property
    def pages(self):
        return [path for path in self.paths if path.suffix == ".md"]

    @cached_property
    def words(self):
        """Every word of sources, scenario files and scripts."""
        found = set()
        for path in self.paths:
            if path.suffix in CPP | HASH | {".py", ".json", ".yaml", ".urdf", ".csv"}:
                found.update(re.findall(r"\w+", self.text(path)))
        return found

    @cache
    def text(self, path):
        return (self.root / path).read_text(encoding="utf-8")

    def has(self, name):
        """Whether a path of the tree is, or ends with, these parts; `*` and {a,b} are those of a shell."""
        return all(
            one in self._ends or ("*" in one and any(fnmatch(end, one) for end in self._ends))
            for one in expanded(name.strip("/"))
        )

    @cached_property
    def _ends(self):
        """Every path of a file or a folder, and what remains of it where folders in front are left out."""
        paths = {*self.paths, *(folder for path in self.paths for folder in path.parents)}
        return {"/".join(path.parts[k:]) for path in paths for k in range(len(path.parts))}

    @cache
    def spoken(self, path):
        """What a person reads of a file: a page but for its blocks of code, comments and docstrings of a source."""
        if path.suffix == ".md":
            return FENCE.sub("", self.text(path))
        if path.suffix in CPP:
            return "\n".join(found["comment"] for found in TOKEN.finditer(self.text(path)) if found["comment"])
        if path.suffix == ".py":
            return python_comments(self.text(path))
        if path.suffix in HASH or not path.suffix:
            return "\n".join(re.findall(r"(?:^|\s)#(.*)", self.text(path)))
        return ""

    @cached_property
    def code(self):
        """C++ of the program, without comments and with empty strings, by path."""
        sources = [path for path in self.paths if path.suffix in CPP and path.parts[0] != "tests"]
        return {path: TOKEN.sub(lambda t: '""' if t["string"] else " ", self.text(path)) for path in sources}

    def defines(self, name):
        """Whether `f` is defined as a function, or `A::f` as one of the class A, or its constructor."""
        *scope, function = name.split("::")
        if not scope:
            return any(defined_functions(code, function) for code in self.code.values())
        owner = scope[-1]
        outside = rf"{owner}(?:<[^<>;{{}}]*>)?::{function}"
        return any(
            owner in code
            and (
                defined_functions(code, outside)
                or any(defined_functions(body, function) for body in class_bodies(code, owner))
            )
            for code in self.code.values()
        )


def expanded(name):
    """a{b,c} as ab, ac."""
    found = re.search(r"\{([^{}]*)\}", name)
    if not found:
        return [name]
    parts = [name[: found.start()] + part + name[found.end() :] for part in found[1].split(",")]
    return [one for part in parts for one in expanded(part)]


def python_comments(text):
    comments = re.findall(r"(?:^|\s)#(.*)", text)
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef)
    nodes = [node for node in ast.walk(ast.parse(text)) if isinstance(node, documented)]
    return "\n".join([*comments, *(ast.get_docstring(node) or "" for node in nodes)])


def closing(code, begin):
    """Behind the bracket that closes the one at `begin`."""
    pairs = {"(": ")", "{": "}"}
    left, right, depth = code[begin], pairs[code[begin]], 0
    for k in range(begin, len(code)):
        depth += (code[k] == left) - (code[k] == right)
        if depth == 0:
            return k + 1
    return len(code)


def defined_functions(code, pattern):
    """Places where a function of a name that matches is defined: parameters, what may follow them, a body (or = 0)."""
    places = []
    for found in re.finditer(rf"(?<![\w.>:]){pattern}\s*\(", code):
        rest = code[closing(code, found.end() - 1) :]
        if re.match(r"\s*(const|noexcept|override|final|\s)*(->\s*[\w:<>&*\s]+)?(\{|:(?!:)|=\s*0\s*;)", rest):
            places.append(found.start())
    return places


def class_bodies(code, name):
    bodies = []
    for found in re.finditer(rf"\b(?:class|struct)\s+{name}\b[^;{{}}()]*(?:\([^;{{}}]*\))?[^;{{}}]*\{{", code):
        bodies.append(code[found.end() - 1 : closing(code, found.end() - 1)])
    return bodies


def slug(heading):
    """The anchor of a heading."""
    words = re.sub(r"[^\w\- ]", "", re.sub(r"[`*]", "", heading).lower())
    return words.strip().replace(" ", "-")


def links(page):
    """Targets of a page's links and pictures."""
    text = SPAN.sub("", FENCE.sub("", page))
    return [inline or reference for inline, reference in LINK.findall(text)]


def headings(page):
    return HEADING.findall(FENCE.sub("", page))
