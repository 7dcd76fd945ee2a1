"""Counts over the lines of results.jsonl."""

from collections import Counter

from campaign.judged import failure_kinds


def summary(lines):
    """Lines of text: verdicts, verdicts by kind of scene, and failed checks of silent wrong runs."""
    verdicts = Counter(line["verdict"] for line in lines)
    text = [f"{len(lines)} scenes: " + ", ".join(f"{count} {verdict}" for verdict, count in verdicts.most_common())]
    for kind in dict.fromkeys(line["kind"] for line in lines):
        own = Counter(line["verdict"] for line in lines if line["kind"] == kind)
        text.append(f"  {kind:9} {sum(own.values()):4}: " + ", ".join(f"{count} {verdict}" for verdict, count in own.most_common()))
    silent = [line for line in lines if line["verdict"] == "silent"]
    checks = Counter(check for line in silent for check in failure_kinds(line))
    text.append(f"silent wrong runs: {len(silent)}; failed checks: " + (", ".join(f"{c} {n}" for c, n in checks.most_common()) or "none"))
    return text
