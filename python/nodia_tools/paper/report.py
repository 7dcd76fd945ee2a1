"""Writes the results: a CSV file per table, a PNG file per figure, and one report in Markdown."""

import csv
import datetime
import math

from nodia_tools.paper import figures


def text_of(value):
    """Text of a value in a table. Four digits are sufficient for the comparison."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return f"{value:.4g}"
    return str(value).replace("|", "\\|")


def write_table(table, path):
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(table.columns)
        for row in table.rows:
            writer.writerow(["" if value is None else value for value in row])


def _markdown(table):
    lines = [f"**{table.title}**", "", "| " + " | ".join(map(text_of, table.columns)) + " |"]
    lines.append("|" + "---|" * len(table.columns))
    lines += ["| " + " | ".join(text_of(value) for value in row) + " |" for row in table.rows]
    return lines + [""]


def _listed(title, items, numbered=False):
    if not items:
        return []
    marks = [f"{k + 1}." if numbered else "*" for k in range(len(items))]
    return [f"{title}:", "", *(f"{mark} {item}" for mark, item in zip(marks, items)), ""]


class Report:
    """The report of one call. It is rewritten after every result and is therefore always up to date."""

    SHOWN_ROWS = 40  # longer tables are only in their CSV files

    def __init__(self, context):
        self._context = context
        self._started = datetime.datetime.now()
        self._made = []  # list of (entry, result or None, failure, seconds)

    @property
    def failed(self):
        """Ids of the results that are incomplete or missing."""
        return [e.id for e, result, failure, _ in self._made if failure or result.missing]

    @property
    def path(self):
        return self._context.out / "report.md"

    def add(self, entry, result, failure, seconds):
        """Adds a result and rewrites the report.

        @param failure  reason why there is no result; empty if there is one
        """
        self._made.append((entry, result, failure, seconds))
        if result is not None:
            for k, table in enumerate(result.tables):
                write_table(table, self._context.out / self._file(entry, k, "csv"))
            for k, figure in enumerate(result.figures):
                figures.save(figure, self._context.out / self._file(entry, k, "png"))
        self.path.write_text("\n".join(self._lines()) + "\n", encoding="utf-8")

    @staticmethod
    def _file(entry, k, suffix):
        return f"{entry.id}.{suffix}" if k == 0 else f"{entry.id}_{k + 1}.{suffix}"

    def _lines(self):
        info, context = self._context.info, self._context
        machine = info["machine"]
        spent = sum(seconds for *_, seconds in self._made)
        lines = [
            "# Reproduction of the papers' results",
            "",
            f"`nodia paper`, {self._started:%d %B %Y, %H:%M}; nodia {info['version']}, commit "
            f"{info['commit']}, {info['compiler']}; {machine['cpu']}, {machine['cores']} cores, "
            f"{machine['os']}; solvers on one thread unless stated otherwise. "
            f"{context.trials} trials, {context.steps} steps each unless a result states otherwise"
            f"{' (--full)' if context.full else ''}; {spent:.0f} s.",
            "",
            "The times of the COND paper were measured on an Intel Core i5-7500, those of the other "
            "papers on unnamed machines: compare ratios, not milliseconds.",
            "",
            "| result | title | produced | time [s] |",
            "|---|---|---|---|",
        ]
        for entry, result, failure, seconds in self._made:
            state = "**no**: " + failure if failure else ""
            if not failure:
                state = "in part: " + "; ".join(result.missing) if result.missing else "yes"
            title = f"{entry.title} ({entry.paper})"
            lines.append(f"| [{entry.id}](#{entry.id}) | {title} | {state} | {seconds:.0f} |")
        lines.append("")
        for entry, result, failure, _ in self._made:
            lines += self._section(entry, result, failure)
        return lines

    def _section(self, entry, result, failure):
        lines = [f"## {entry.id}", "", f"{entry.title}. {entry.paper}, {entry.place}.", ""]
        lines += [f"Printed: {entry.printed}", "", f"Ours: {entry.how}", ""]
        if failure:
            return [*lines, f"**Not made:** {failure}", ""]
        for k, table in enumerate(result.tables):
            name = self._file(entry, k, "csv")
            if len(table.rows) > self.SHOWN_ROWS:
                lines += [f"{table.title}: {len(table.rows)} rows in [{name}]({name})", ""]
            else:
                lines += _markdown(table)
        for k, _ in enumerate(result.figures):
            name = self._file(entry, k, "png")
            lines += [f"![{entry.title}]({name})", ""]
        lines += _listed("Why ours differs", result.reasons, numbered=True)
        lines += _listed("Notes", result.notes)
        lines += _listed("**Not made**", result.missing)
        return lines
