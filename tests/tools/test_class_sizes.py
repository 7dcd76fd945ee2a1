"""A class of the product has at most 25 public methods."""

import re

import pytest
from nodia_command import SOURCE
from source_tree import TOKEN, Tree

MOST_METHODS = 25
# Classes with one job that need more, with the largest number of public methods that they may have.
LARGER = {"Simulation": 35, "RobotModel": 29, "FrameModel": 27}

CLASS = re.compile(r"\b(class|struct)\s+(\w+)(?:<[^;{}()]*>)?\s*(?:final\s*)?(?::(?!:)[^;{]*)?\{")
ACCESS = re.compile(r"\b(public|protected|private)\s*:(?!:)")
NO_METHOD = re.compile(r"(using|friend|typedef|static_assert|enum)\b")
NAME = re.compile(r"(operator\s*\S+?|~?\w+)\s*\(")


def plain(text):
    """The code without comments, texts and directives of the preprocessor."""
    text = TOKEN.sub(lambda token: " " if token["comment"] else '""', text)
    return re.sub(r"^\s*#(?:[^\n]*\\\n)*[^\n]*", " ", text, flags=re.M)


def end_of_braces(text, begin):
    """Index behind the brace that closes the one at `begin`."""
    depth = 0
    for i in range(begin, len(text)):
        depth += {"{": 1, "}": -1}.get(text[i], 0)
        if depth == 0:
            return i
    return len(text)


def declarations(body):
    """What stands in a class body outside of inner braces, which become `{}`."""
    parts, depth = [], 0
    for character in body:
        depth -= character == "}"
        if depth == 0:
            parts.append(character)
        depth += character == "{"
    return "".join(parts)


def public_methods(kind, body):
    """Names of the public methods that a class body declares, overloads counted one by one."""
    access, names = "public" if kind == "struct" else "private", []
    for part in re.split(r"(\b(?:public|protected|private)\s*:(?!:))|;|\{\}", declarations(body)):
        part = (part or "").strip()
        if found := ACCESS.fullmatch(part):
            access = found[1]
        elif access == "public" and not NO_METHOD.match(part):
            name = NAME.search(part)
            if name and "=" not in part[: name.start()]:
                names.append(name[1])
    return names


def classes(text):
    """(name, public methods) of every class that is defined in a file."""
    text = plain(text)
    for found in CLASS.finditer(text):
        yield found[2], public_methods(found[1], text[found.end() : end_of_braces(text, found.end() - 1)])


def too_large(tree):
    return [
        f"{path}: {name} has {len(methods)} public methods"
        for path in tree.paths
        if path.suffix in {".hpp", ".cuh"} and path.parts[0] not in ("tests", "examples")
        for name, methods in classes(tree.text(path))
        if len(methods) > LARGER.get(name, MOST_METHODS)
    ]


def test_classes_are_small():
    assert not too_large(Tree(SOURCE))


@pytest.mark.parametrize(
    "body, names",
    [
        ("int a() const; void b(int x = f()); int c = g();", ["a", "b"]),
        ("A(); ~A(); A& operator=(const A&); using B = C(int); friend void f(A);", ["A", "~A", "operator="]),
        ("int a() { if (x()) y(); return 1; } std::vector<int> b{c()};", ["a"]),
        ("private: void a(); public: void b(); protected: void c();", ["b"]),
        ("// int a();\n const char* b() { return \"int c();\"; }", ["b"]),
    ],
)
def test_public_methods_are_counted(body, names):
    ((_, found),) = classes(f"struct S : T {{ {body} }};")
    assert found == names


def test_a_large_class_is_found(tmp_path):
    (tmp_path / "host").mkdir()
    methods = "\n".join(f"  void method_{k}();" for k in range(26))
    (tmp_path / "host/a.hpp").write_text(f"class A {{\n public:\n{methods}\n}};\n")
    assert too_large(Tree(tmp_path)) == ["host/a.hpp: A has 26 public methods"]
