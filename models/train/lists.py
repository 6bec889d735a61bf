"""The reranker's lists from the everyday questions of the program (backend/retrieve/data/asks).

    lists.py questions INDEX.db > data/questions.tsv     then  go run models/train/pools.go INDEX data/questions.tsv data/pools.jsonl
    lists.py lists INDEX.db                              data/lists.jsonl, data/heldlists.jsonl {type, query, pos, negs}

The positive is the paragraph that a question was written for, the negatives are what a search without the questions'
own lists puts beside it, without the paragraphs above and below, the comments on it and the cards of all these. The
older hand-written questions and sentences of the rules themselves are mixed in, so that they are not forgotten.
INDEX is a database of the program with the regulations installed. A tenth of the sections is held out.
"""

import glob
import random
import sqlite3
import sys

from common import *

HERE = os.path.dirname(os.path.abspath(__file__))
REG = {"Z": "12 CFR 1026.", "E": "12 CFR 1005.", "FTC": "16 CFR ", "SEC": "17 CFR "}


def parse(cite):
    """-> the part, the section, its path down, and whether it is a comment."""
    comment = cite.startswith("Comment ")
    c = re.sub(r"^(Comment|\d+ CFR|FINRA) ", "", cite)
    m = re.match(r"(\d+\.[\dA-Za-z]+(?:\(4\)-1)?|\d+(?: Appendix [A-Z]\d?)?)", c)
    sec = m.group(0) if m else c
    rest = c[len(sec) :]
    rule, _, tail = rest.partition("-") if comment else (rest, "", "")
    return sec, tuple(re.findall(r"\(([^)]+)\)", rule)), comment, tail


def related(a, b):
    """Above, below, the same, or a comment on any of these: never a negative."""
    (s, x, cx, tx), (t, y, cy, ty) = parse(a), parse(b)
    if s != t:
        return False
    n = min(len(x), len(y))
    if cx and cy and x == y:  # two comments on one paragraph: only if one holds the other
        p, q = tx.split("."), ty.split(".")
        k = min(len(p), len(q))
        return p[:k] == q[:k]
    return x[:n] == y[:n]


def held(cite):
    return int(hashlib.md5(("asks" + parse(cite)[0]).encode()).hexdigest(), 16) % 100 < 10


def passages(index):
    out = []
    for (j,) in sqlite3.connect("file:%s?mode=ro" % index, uri=True).execute(
        "select json from passages where corpus in ('rules', 'cards') and indexed = 1"
    ):
        p = json.loads(j)
        p["text"] = p["header"] + "\n" + p["body"]
        out.append(p)
    return out


def questions(index):
    rng, out = random.Random(3), []
    for f in sorted(glob.glob(HERE + "/../../backend/retrieve/data/asks/*.tsv")):
        for l in open(f):
            if l.startswith("#") or "\t" not in l:
                continue
            cite, qs = l.rstrip("\n").split("\t")
            qs = qs.split("|")
            rng.shuffle(qs)
            many = cite.startswith(("FINRA", "16 CFR", "17 CFR")) or held(cite)
            out += [(cite, "asks", q) for q in qs[: 3 if many else 1]]
    for f in ("handwritten.tsv", "handwritten2.tsv"):
        for l in open(HERE + "/" + f):
            reg, lab, q = l.rstrip("\n").split("\t")
            cite = "Comment " + REG[reg].split()[-1] + lab[8:] if lab.startswith("Comment ") else REG[reg] + lab
            out.append((cite, "older", q))
    rules = [p for p in passages(index) if p["corpus"] == "rules"]
    for p in rng.sample(rules, 500):
        ss = [s for s in re.split(r"(?<=[.;])\s+(?=[A-Z])", p["body"]) if 8 <= len(s.split()) <= 45]
        if len(ss) >= 2:
            out.append((p["citation"], "sentence", re.sub(r"\s+", " ", rng.choice(ss))))
    rng.shuffle(out)
    for o in out:
        print("\t".join(o))


def lists(index):
    from collections import Counter, defaultdict

    P = passages(index)
    by, of, rng = defaultdict(list), {}, random.Random(5)
    for p in P:
        of[p["text"]] = p
        if p["corpus"] == "rules":
            for c in set(p["citations"] or [p["citation"]]):
                by[c].append(p)
    n, out = Counter(), {True: open("data/heldlists.jsonl", "w"), False: open("data/lists.jsonl", "w")}
    for r in jsonl("data/pools.jsonl"):
        h, pool = held(r["cite"]), [t for t in r["pool"] if t in of]
        pos = by.get(r["cite"], [])
        inside = [p for p in pos if p["text"] in pool]
        n[r["type"], h, "no text" if not pos else "in the pool" if inside else "not in the pool"] += 1
        if not pos or h and not inside:
            continue
        p = (inside or pos)[0]
        negs = [t for t in pool if not related(r["cite"], of[t]["citation"]) and (h or not held(of[t]["citation"]))]
        if len(negs) < 7:
            continue
        row = dict(type=r["type"], query=r["query"], cite=r["cite"], pos=p["text"], negs=negs)
        if r["type"] == "sentence" and rng.random() < 0.8:  # the sentence itself is mostly left out
            row["drop"] = r["query"]
        out[h].write(json.dumps(row) + "\n")
    print(sorted(n.items()))


if __name__ == "__main__":
    {"questions": questions, "lists": lists}[sys.argv[1]](sys.argv[2])
