#!/usr/bin/env python3
"""Checks the training videos of eval/screener/videos: form, labels, excerpts, citations, repeats.

    python3 models/train/check_videos.py [FILE...]
"""
import collections
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
FACTS = {
    "speaker": "finra_member registered_adviser state_adviser paid_endorser unpaid_consumer issuer publisher private_person employee unknown",
    "paid": "yes no unknown",
    "options": "yes no unknown",
    "audience": "retail institutional unknown",
    "sponsor": "finra_member registered_adviser other_business none unknown",
}
CITATION = re.compile(
    r"^(FINRA (2210|2220)(\([A-Za-z0-9]+\))+|FINRA 2010|17 CFR 275\.206\(4\)-1(\([A-Za-z0-9]+\))+|16 CFR 255\.[0-6](\([A-Za-z0-9]+\))*)$"
)


def behaviours():
    text = (ROOT / "backend/agent/data/behaviours.yaml").read_text()
    return set(re.findall(r"^  - id: (\w+)$", text, re.M))


def check(video, known):
    """Gives what is wrong with one video, as sentences."""
    for key in ("id", "kind", "note", "facts", "segments", "expected", "not_applicable"):
        if key not in video:
            yield f"has no {key}"
            return
    if video["kind"] not in ("violating", "negative", "trap", "absence"):
        yield f"kind {video['kind']}"
    for fact, values in FACTS.items():
        if video["facts"].get(fact) not in values.split():
            yield f"fact {fact} is {video['facts'].get(fact)!r}"
    if not re.fullmatch(r"\d{4}-\d\d-\d\d", video["facts"].get("published", "")):
        yield "published is no date"
    if len(video["segments"]) < 6:
        yield "fewer than 6 segments"
    for s in video["segments"]:
        if s.get("source") not in ("speech", "screen", "description") or not s.get("text", "").strip():
            yield f"segment {s}"
        for label, verdict in s.get("labels", {}).items():
            if label not in known:
                yield f"unknown behaviour {label}"
            if verdict not in ("triggered", "look_alike"):
                yield f"verdict {verdict}"
    for e in video["expected"]:
        for c in [e["citation"], *e["also"]]:
            if not CITATION.match(c):
                yield f"citation {c}"
        if e["excerpt"] and not any(e["excerpt"] in s["text"] for s in video["segments"]):
            yield f"excerpt not in a segment: {e['excerpt']}"
    if video["kind"] == "negative" and video["expected"]:
        yield "a negative expects findings"
    if video["kind"] in ("violating", "absence") and not video["expected"]:
        yield "expects nothing"


def main():
    files = [pathlib.Path(a) for a in sys.argv[1:]] or sorted((ROOT / "eval/screener/videos").glob("*.jsonl"))
    known, bad = behaviours(), 0
    seen, ids = {}, set()
    for file in files:
        kinds, labels, sentences = collections.Counter(), collections.Counter(), 0
        for number, line in enumerate(file.read_text().splitlines(), 1):
            where = f"{file.name}:{number}"
            try:
                video = json.loads(line)
            except ValueError as err:
                print(f"{where}: {err}")
                bad += 1
                continue
            problems = list(check(video, known))
            if video.get("id") in ids:
                problems.append("id twice")
            ids.add(video.get("id"))
            for s in video.get("segments", []):
                sentences += 1
                text = s["text"].lower().strip()
                if len(text.split()) > 6 and text in seen:
                    problems.append(f"sentence already in {seen[text]}: {text}")
                seen[text] = where
                labels.update(k + ("" if v == "triggered" else "#") for k, v in s.get("labels", {}).items())
            kinds[video.get("kind")] += 1
            for p in problems:
                print(f"{where}: {p}")
            bad += len(problems)
        print(f"{file.name}: {sum(kinds.values())} videos {dict(kinds)}, {sentences} sentences")
        print("   " + ", ".join(f"{k} {n}" for k, n in labels.most_common()))
    sys.exit(bad > 0)


if __name__ == "__main__":
    main()
