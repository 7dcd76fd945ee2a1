"""Pages and comments name what is in the repository: pages, sections, files, functions, words of the code. README.md
stays an entrance, and its measured numbers are those of the files that it links."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from nodia_command import SOURCE
from PIL import Image
from source_tree import SPAN, Tree, headings, links, slug

FILE = re.compile(r"(?<![\w/.*{-])((?:[\w*{},-]+/)*[\w*{},.-]*\w\.(?:hpp|cpp|cu|cuh|py|sh|cmake|md))\b(?![\w/*])")
FOLDER = re.compile(r"(?<![\w/.*-])((?:cmake|docs|fem|host|kernels|tests|tools)/[\w*{},/.-]*\w)")
SECTION = re.compile(r"(\w+\.md)(?:[,:)]? section|,) (\d+\w?)\b")
ELSEWHERE = re.compile(r"benchmark \d+|design sheet|\.\./shared|redesign", re.I)
NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?:e-?\d+)?(?![\w.]*\d)")
NAME = re.compile(r"[A-Za-z_]\w*(?:(?:::|\.)\w+)*(?:\(\))?")

# Files that a page or a comment names and that are not, or not yet, in a tree: what a reader makes by the page, what
# the program writes.
MADE = {
    "docs/adding": ("jacobi", "most_iterations", "stopping_block"),
    "docs/library.md": ("sliding.cpp",),
    "docs/tasks.md": ("grasp.py",),
    "docs/tutorial.md": ("forces.py", "sweep.py"),
    "python/nodia/policy.py": ("grasp.py",),
    "tests/scenarios": ("NAME.yaml",),
    "tests/tools/broken_scenarios": ("my_policy.py",),
    "tools/page_script.py": ("PAGE.md",),
    "": ("out/", "build/", "nodia_bundle/", "FILE.py"),
}

# Words in code spans of pages that are no words of the code: columns whose names the program puts together, and words of Gmsh.
FOREIGN = {"NAME_fx_N", "contact_A_B_fx_N", "link_0_x_m", "ClassifySurfaces"}


RESULTS_PAGE = "docs/results/README.md"


@pytest.fixture(scope="module")
def tree():
    return Tree(SOURCE)


def made(path, name):
    """Whether a file is one that the reader of `path` makes."""
    return any(
        part in name for folder, parts in MADE.items() if str(path).startswith(folder) for part in parts
    )


def missing_files(tree):
    """`file: name` for every file or folder that a comment or a page names and the tree has not."""
    missing = []
    for path in tree.paths:
        if path.name == "CHANGELOG.md" or path.parts[:2] == ("tools", "bench"):
            continue
        text = re.sub(r"https?://\S+", "", tree.spoken(path))
        for name in {*FILE.findall(text), *FOLDER.findall(text)}:
            beside = (tree.root / path.parent / name).exists()
            if not beside and not made(path, name) and not tree.has(name):
                missing.append(f"{path}: {name}")
    return sorted(missing)


def missing_sections(tree):
    """`file: page, section` for every numbered section that is cited and that its page has not."""
    missing = []
    for path in tree.paths:
        for page, section in SECTION.findall(" ".join(tree.spoken(path).replace("///", "").split())):
            found = [one for one in tree.pages if one.name == page]
            if not any(h.startswith(f"{section}. ") for one in found for h in headings(tree.text(one))):
                missing.append(f"{path}: {page}, section {section}")
    return missing


def broken_links(tree):
    """`page: target` for every link of a page to a file, or to a heading, that is not there."""
    broken = []
    for page in tree.pages:
        for target in links(tree.text(page)):
            if re.match(r"\w+:", target):
                continue
            name, _, anchor = target.partition("#")
            aim = (tree.root / page.parent / name).resolve() if name else tree.root / page
            slugs = {slug(h) for h in headings(aim.read_text())} if aim.suffix == ".md" and aim.is_file() else ()
            if not aim.exists() or (anchor and anchor not in slugs):
                broken.append(f"{page}: {target}")
    return broken


def unknown_words(tree):
    """`page: word` for every name in a code span of the manual that no source has."""
    unknown = []
    for page in tree.pages:
        if page.parts[0] not in ("docs", "README.md") or page.parts[:2] == ("docs", "results"):
            continue
        own = set(re.findall(r"\w+", " ".join(re.findall(r"^```.*?^```$", tree.text(page), re.M | re.S))))
        for span in SPAN.findall(tree.text(page)):
            if not NAME.fullmatch(span) or FILE.fullmatch(span):
                continue
            words = set(re.findall(r"\w+", span)) - tree.words - FOREIGN
            if words and not (page.parts[:2] == ("docs", "adding") and words <= own):
                unknown.append(f"{page}: {span}")
    return sorted(set(unknown))


def diagram(tree):
    """Functions that the diagram of docs/architecture.md names."""
    page = tree.text(Path("docs/architecture.md"))
    block = re.search(r"^## Life of a step\n.*?^```text\n(.*?)^```$", page, re.M | re.S)[1]
    return re.findall(r"\b((?:\w+::)*\w+)\(\)", block)


STEP_PAGE = Path("docs/a_step.md")


def step_tables(tree):
    """Rows (function, file) of each table in docs/a_step.md, by the heading of its section."""
    sections = re.findall(r"^## (.*?)\n(.*?)(?=^## |\Z)", tree.text(STEP_PAGE), re.M | re.S)
    row = re.compile(r"^\|(?: \w* ?\|)? `([\w:]+)` \| ([\w/]+\.\w+) \|", re.M)
    return {heading: row.findall(text) for heading, text in sections}


def not_defined_where_listed(tree):
    """`file: function` of rows whose file has no body of the function."""
    missing = []
    for name, file in (row for rows in step_tables(tree).values() for row in rows):
        member = name.replace("::", r"(?:<\w+>)?::")
        body = rf"(?m)^(?!.*\breturn\b)[^/\n]*[\w>&*] \*?{member}\((?:[^;{{]|\n)*?\)(?:\s*const)?\s*\{{"
        if not re.search(body, tree.text(Path(file))):
            missing.append(f"{file}: {name}")
    return missing


def undefined_functions(tree):
    return [name for name in diagram(tree) if not tree.defines(name)]


def test_comments_and_pages_name_files_of_the_repository(tree):
    assert not missing_files(tree)


def test_sections_that_are_cited_exist(tree):
    assert not missing_sections(tree)


def test_links_of_pages_lead_somewhere(tree):
    assert not broken_links(tree)


def test_names_in_pages_are_words_of_the_code(tree):
    assert not unknown_words(tree)


def test_nothing_speaks_of_notes_that_are_elsewhere(tree):
    here = Path("tests/tools/test_pages.py")
    spoken = {path: ELSEWHERE.search(tree.spoken(path)) for path in tree.paths if path != here}
    assert not [f"{path}: {found[0]}" for path, found in spoken.items() if found]


def test_functions_of_the_diagram_are_defined(tree):
    assert len(diagram(tree)) > 30
    assert not undefined_functions(tree)


def test_the_functions_of_a_step_are_defined_in_the_listed_files(tree):
    assert not not_defined_where_listed(tree)


def test_the_tables_of_a_step_are_short(tree):
    tables = step_tables(tree)
    assert len(tables["On the CPU"]) > 15 and len(tables["On a GPU"]) > 15
    assert 7 <= len(tables["The gap of a contact on the CPU"]) <= 10
    assert 5 <= len(tables["The gap of a contact on a GPU"]) <= 10
    ends = tables["The end of a step that stays on the device"]
    assert len(ends) >= 5 and len({file for _, file in ends}) <= 6


def test_a_function_that_is_elsewhere_is_missed(tree):
    assert ("contact_phi", "kernels/contact/contact_terms.hpp") in step_tables(tree)["The gap of a contact on the CPU"]
    moved = Tree(tree.root)
    moved.text = lambda path: tree.text(path).replace("Vec3d contact_phi(", "Vec3d phi_of(")
    assert set(not_defined_where_listed(moved)) == {"kernels/contact/contact_terms.hpp: contact_phi"}


def test_readme_is_an_entrance(tree):
    lines = tree.text(Path("README.md")).splitlines()
    assert len(lines) <= 110
    assert [line for line in lines if len(line) > 120] == []


def measured_items(text):
    """The numbered items of a page: what each says, without links, and the files that it links."""
    items = [" ".join(item.split()) for item in re.findall(r"^\d\. (.*?)(?=^\d\. |^$)", text, re.M | re.S)]
    return [
        (re.sub(r"\]\(\S+?\)", "]", item), [Path(link.split("#")[0]) for link in links(item)]) for item in items
    ]


def numbers_without_source(tree):
    """Numbers of the measured items of README.md that no file linked by the item contains."""
    missing = []
    for said, files in measured_items(tree.text(Path("README.md"))):
        known = set(NUMBER.findall(" ".join(tree.text(file) for file in files)))
        missing += [f"{said[:40]}: {number}" for number in NUMBER.findall(said) if number not in known]
    return missing


def test_measured_items_of_readme_have_the_numbers_of_their_files(tree):
    items = measured_items(tree.text(Path("README.md")))
    assert len(items) == 3
    assert all(NUMBER.findall(said) and files for said, files in items)
    assert all(any("results" in file.parts for file in files) for _, files in items)
    assert not numbers_without_source(tree)


def test_a_number_that_no_file_has_is_found(tree):
    page = Path("README.md")
    changed = tree.text(page).replace(" 2.77 ms ", " 9.997 ms ")
    assert changed != tree.text(page)
    wrong = Tree(tree.root)
    wrong.text = lambda path: changed if path == page else tree.text(path)
    assert [message.split()[-1] for message in numbers_without_source(wrong)] == ["9.997"]


def test_the_moving_picture_of_readme_is_small(tree):
    pictures = [tree.root / link for link in links(tree.text(Path("README.md"))) if link.endswith(".gif")]
    assert len(pictures) == 1 and pictures[0].stat().st_size < 2.5e6
    with Image.open(pictures[0]) as picture:
        assert picture.n_frames > 20


@pytest.fixture
def planted(tmp_path):
    """A small tree that every test above would pass."""

    def plant(**files):
        content = {
            "README.md": "See [math](docs/math.md#2-contact) and `Solver::solve`.\n",
            "docs/math.md": "# Math\n\n## 2. Contact\n\n`host/solver.cpp`\n",
            "docs/architecture.md": "## Life of a step\n\n```text\nSolver::solve() -> norm()\n```\n",
            "host/solver.hpp": "/// docs/math.md section 2\nclass Solver { void solve(); };\n",
            "host/solver.cpp": 'double norm(int a) { return a; }\nvoid Solver::solve() { f("a.md"); }\n',
        }
        for name, text in (content | files).items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return Tree(tmp_path)

    return plant


CHECKS = (missing_files, missing_sections, broken_links, unknown_words, undefined_functions)


def test_a_sound_tree_has_no_faults(planted):
    tree = planted()
    assert [check(tree) for check in CHECKS] == [[]] * len(CHECKS)


@pytest.mark.parametrize(
    ("check", "path", "text", "told"),
    [
        (missing_files, "host/solver.hpp", "// see performance.md\n", "host/solver.hpp: performance.md"),
        (missing_files, "host/a.py", '"""As host/gone.cpp does."""\n', "host/a.py: host/gone.cpp"),
        (missing_files, "docs/math.md", "`kernels/gone/`\n", "docs/math.md: kernels/gone"),
        (missing_sections, "host/solver.hpp", "// math.md\n/// section 3b\n", "host/solver.hpp: math.md, section 3b"),
        (missing_sections, "host/solver.hpp", "// (math.md, 6)\n", "host/solver.hpp: math.md, section 6"),
        (broken_links, "README.md", "[a](docs/none.md)\n", "README.md: docs/none.md"),
        (broken_links, "README.md", "[a](docs/math.md#3-w)\n", "README.md: docs/math.md#3-w"),
        (unknown_words, "README.md", "`Solver::gone`\n", "README.md: Solver::gone"),
        (undefined_functions, "host/solver.cpp", "void f() { norm(1); }\nvoid Solver::solve() {}\n", "norm"),
        (undefined_functions, "host/solver.cpp", "double norm(int) { return 0; }\n", "Solver::solve"),
    ],
)
def test_a_planted_fault_is_found(planted, check, path, text, told):
    assert check(planted(**{path: text})) == [told]


def result_numbers(root, *words):
    return subprocess.run(
        [sys.executable, "-B", root / "tools/result_numbers.py", *words], capture_output=True, text=True
    )


def test_numbers_of_the_results_page_are_those_of_the_result_files():
    done = result_numbers(SOURCE, "--check")
    assert done.returncode == 0, done.stderr


@pytest.fixture
def copied(tmp_path):
    """A copy of the page of results, its tool and the result files, for tests that change them."""
    shutil.copytree(SOURCE / "tools/bench/results", tmp_path / "tools/bench/results")
    for name in (RESULTS_PAGE, "tools/result_numbers.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(SOURCE / name, tmp_path / name)
    return tmp_path


def test_a_wrong_number_on_the_results_page_is_reported_and_corrected(copied):
    page = copied / RESULTS_PAGE
    sound = page.read_text()
    assert " COND 8 of 8 " in sound
    page.write_text(sound.replace(" COND 8 of 8 ", " COND 9 of 8 "))
    done = result_numbers(copied, "--check")
    assert done.returncode == 1
    assert "COND 9 of 8" in done.stderr
    assert result_numbers(copied).returncode == 0
    assert page.read_text() == sound


def test_newer_results_replace_older_ones_if_they_have_the_row(copied):
    results = copied / "tools/bench/results"
    table = (results / "bench_cpu_2026-11-21.txt").read_text().splitlines()
    head = next(line for line in table if line.startswith("case"))
    row = next(line for line in table if line.startswith("iteration") and " 1504 " in line and "double" in line)
    (results / "bench_cpu_2031-01-02.txt").write_text(f"{head}\n{row.replace(row.split()[7], '7.00')}\n")
    assert result_numbers(copied).returncode == 0
    page = (copied / RESULTS_PAGE).read_text()
    assert re.search(r"1504 nodes.* 7 us.*\[2031-01-02\]", page)
    assert re.search(r"64 mats.*\[2026-11-21\]", page)


def test_missing_results_are_reported(copied):
    for path in (copied / "tools/bench/results").glob("siconos_*.csv"):
        path.unlink()
    done = result_numbers(copied, "--check")
    assert done.returncode == 1
    assert "siconos_*.csv (must exist" in done.stderr
