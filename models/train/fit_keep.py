#!/usr/bin/env python3
"""Fit the weights that say which candidates of an audit become findings (backend/agent/data/keep.yaml).

    veristream eval audit --candidates C.jsonl --cases eval/screener/videos      what the agent sees in training videos
    veristream eval audit --candidates T.jsonl --half tune                       and in the tune half
    fit_keep.py OUT.yaml C.jsonl T.jsonl [--only FILE]                         cross-validated figures, then the weights

Logistic regression with a ridge, an intercept for each category, some features once more for each category, what the
screener says of the same words, and each feature once more for what is missing in a
whole video. Rows of one case always stand in one fold. FILE lists ids of training videos that the screener has not
seen: with --only FILE only those and the tune half are used, because the screener flatters what it was trained on.
"""
import argparse
import collections
import json
import re

import numpy as np
from scipy.optimize import minimize



def training(case):
    """Whether a case is a training video; those of eval/audit have names."""
    return re.fullmatch(r"[a-z]{1,2}\d{3}", case) is not None


def load(files, only):
    rows, cases = [], {}
    for n, file in enumerate(files):
        for line in open(file):
            r = json.loads(line)
            if only and training(r["case"]) and r["case"] not in only:
                continue
            cases[r["case"]] = (r["kind"], r["expected"])
            if r["claim"] >= 0:
                rows.append(r)
    return rows, cases


# A class of the screener goes from 0 to 10.6 logits; so that the ridge is as stiff for it as for a feature.
CLASS_SCALE = 2.5

# Features that count more or less in one category than in another.
SLOPES = ["in context", "cured", "uncertain", "missing", "discloses_tie anywhere", "names_risk anywhere"]


def logit(p):
    p = np.clip(p, 0.005, 0.995)
    return np.log(p / (1 - p))


class Design:
    """Turns rows into a matrix; knows its columns by name."""

    def __init__(self, rows):
        self.names = [f for f in rows[0]["features"]]
        x = np.array([[r["features"][f] for f in self.names] for r in rows])
        self.mean, self.std = x.mean(0), x.std(0) + 1e-6
        self.categories = sorted({r["category"] for r in rows})
        self.index = {c: i for i, c in enumerate(self.categories)}
        self.pairs = sorted({self.pair(r) for r in rows})
        self.pair_index = {c: i for i, c in enumerate(self.pairs)}
        self.slopes = [s for s in SLOPES if s in self.names]
        said = collections.Counter(k for r in rows for k, p in r["classes"].items() if p >= 0.3)
        self.classes = sorted(k for k, n in said.items() if n >= 20)

    @staticmethod
    def pair(r):
        return r["category"] + "/" + r["behaviour"]

    def matrix(self, rows):
        x = (np.array([[r["features"][f] for f in self.names] for r in rows]) - self.mean) / self.std
        absent = np.array([[float(r["mode"] == "absence")] for r in rows])
        cat, pair = np.zeros((len(rows), len(self.categories))), np.zeros((len(rows), len(self.pairs)))
        for i, r in enumerate(rows):
            if r["category"] in self.index:
                cat[i, self.index[r["category"]]] = 1
            if self.pair(r) in self.pair_index:
                pair[i, self.pair_index[self.pair(r)]] = 1
        slopes = [cat * x[:, [self.names.index(s)]] for s in self.slopes]
        classes = (logit(np.array([[r["classes"].get(k, 0.0) for k in self.classes] for r in rows])) - logit(0.0)) / CLASS_SCALE
        return np.hstack([x, x * absent, cat, *slopes, pair, classes, np.ones((len(rows), 1))])

    def blocks(self):
        """The widths of the matrix's parts, in order, and how much stiffer than the features' each part's ridge is."""
        n, c = len(self.names), len(self.categories)
        return [("features", n, 1), ("absent", n, 2), ("categories", c, 1.5), *((s, c, 4) for s in self.slopes), ("pairs", len(self.pairs), 1.5), ("classes", len(self.classes), 2), ("bias", 1, 0)]

    def penalty(self, ridge):
        return np.concatenate([np.full(width, ridge * stiff) for _, width, stiff in self.blocks()])

    def parts(self, w):
        out, at = {}, 0
        for name, width, _ in self.blocks():
            out[name] = w[at : at + width]
            at += width
        return out


def fit(x, y, penalty, weight=None):
    weight = np.ones(len(y)) if weight is None else weight

    def loss(w):
        z = x @ w
        p = 1 / (1 + np.exp(-z))
        value = (weight * (np.logaddexp(0, z) - y * z)).sum() + (penalty * w * w).sum() / 2
        return value, x.T @ (weight * (p - y)) + penalty * w

    return minimize(loss, np.zeros(x.shape[1]), jac=True, method="L-BFGS-B", options={"maxiter": 500}).x


def choose(rows, p, cut, second):
    """What becomes a finding: the likeliest of a regulator on the same words, a second one if it is very likely."""
    kept, best = [], collections.defaultdict(list)
    for i, r in enumerate(rows):
        if p[i] < cut:
            continue
        if r["mode"] == "absence":
            kept.append(i)
        else:
            best[(r["case"], r["claim"], r["regulator"])].append(i)
    for group in best.values():
        group.sort(key=lambda i: -p[i])
        kept.append(group[0])
        kept += [i for i in group[1:] if p[i] >= second and rows[i]["behaviour"] != rows[group[0]]["behaviour"] and rows[i]["citation"] != rows[group[0]]["citation"]]
    return kept


def figures(rows, p, cases, cut, second=0.55):
    found, right, wrong, again, on_negative = set(), 0, 0, 0, 0
    for i in sorted(choose(rows, p, cut, second), key=lambda i: -p[i]):
        new = [(rows[i]["case"], a) for a in rows[i]["answers"]]
        if not new:
            wrong += 1
            on_negative += cases[rows[i]["case"]][0] == "negative"
        elif all(a in found for a in new):
            again += 1
        else:
            right += 1
        found.update(new)
    expected = sum(n for _, n in cases.values())
    negatives = max(1, sum(k == "negative" for k, _ in cases.values()))
    return dict(cut=cut, recall=len(found) / expected, precision=(right + again) / max(1, right + again + wrong), strict=right / max(1, right + again + wrong),
                false_a_negative=on_negative / negatives)


def show(name, rows, p, cases):
    print(name, "cases %d, expected %d" % (len(cases), sum(n for _, n in cases.values())))
    for cut in (0.1, 0.125, 0.15, 0.175, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.7):
        f = figures(rows, p, cases, cut)
        print("   cut %(cut).2f recall %(recall).3f precision %(precision).3f (each expected once %(strict).3f) false a negative %(false_a_negative).2f" % f)
    ceiling = len({(r["case"], a) for r in rows for a in r["answers"]}) / max(1, sum(n for _, n in cases.values()))
    print("   any candidate at all: %.3f" % ceiling)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("out")
    ap.add_argument("files", nargs="+")
    ap.add_argument("--only")
    ap.add_argument("--also", type=float, default=0.5)
    ap.add_argument("--ridge", type=float, default=6.0)
    ap.add_argument("--tune", type=float, default=1.0, help="weight of the cases of eval/audit")
    ap.add_argument("--seed", type=int, default=1)
    a = ap.parse_args()
    only = set(open(a.only).read().split()) if a.only else None
    rows, cases = load(a.files, only)
    # Writers of training videos were generous with "equally right": what they name first counts more.
    y = np.array([float(bool(r["answers"])) * (a.also if training(r["case"]) and not r["primary"] else 1) for r in rows])
    print("rows %d, right %d, cases %d" % (len(rows), y.sum(), len(cases)))
    ids = sorted(cases)
    np.random.default_rng(a.seed).shuffle(ids)
    fold = {c: i % 8 for i, c in enumerate(ids)}
    weight = np.array([1.0 if training(r["case"]) else a.tune for r in rows])
    design = Design(rows)
    x, f = design.matrix(rows), np.array([fold[r["case"]] for r in rows])
    p = np.zeros(len(rows))
    for k in range(8):
        w = fit(x[f != k], y[f != k], design.penalty(a.ridge), weight[f != k])
        p[f == k] = 1 / (1 + np.exp(-x[f == k] @ w))
    show("all, cross-validated", rows, p, cases)
    tune = [i for i, r in enumerate(rows) if not training(r["case"])]
    if tune:
        show("tune half, cross-validated", [rows[i] for i in tune], p[tune], {c: v for c, v in cases.items() if not training(c)})
    w = fit(x, y, design.penalty(a.ridge), weight)
    part = design.parts(w)
    scale, absent = part["features"] / design.std, part["absent"] / design.std
    with open(a.out, "w") as out:
        out.write("# Fitted by models/train/fit_keep.py; not for editing by hand. The probability that a candidate is right is\n# 1/(1+exp(-z)), z = bias + category + pair + the sum of weight x feature, with the second weight added where something\n# is missing in the whole video and the category's `slopes` where it has one, + the sum of class weight x logit of the\n# screener's word above its floor.\n")
        out.write("bias: %.4f\n" % (w[-1] - (scale * design.mean).sum()))
        out.write("absence: %.4f\n" % -(absent * design.mean).sum())
        out.write("features:\n")
        for i, name in enumerate(design.names):
            out.write("  %s: [%.4f, %.4f]\n" % (json.dumps(name), scale[i], absent[i]))
        out.write("categories:\n")
        for i, name in enumerate(design.categories):
            slopes = {s: part[s][i] / design.std[design.names.index(s)] for s in design.slopes}
            bias = part["categories"][i] - sum(v * design.mean[design.names.index(s)] for s, v in slopes.items())
            out.write("  %s: {bias: %.4f, slopes: {%s}}\n" % (name, bias, ", ".join("%s: %.4f" % (json.dumps(s), v) for s, v in slopes.items())))
        out.write("pairs:\n")
        for i, name in enumerate(design.pairs):
            out.write("  %s: %.4f\n" % (name, part["pairs"][i]))
        out.write("classes:\n")
        for i, name in enumerate(design.classes):
            out.write("  %s: %.4f\n" % (json.dumps(name), part["classes"][i] / CLASS_SCALE))
    order = np.argsort(-np.abs(w[: len(design.names)]))
    print("weights of standardised features: " + ", ".join("%s %.2f" % (design.names[i], w[i]) for i in order))
    print("weights of the screener's words: " + ", ".join("%s %.2f" % (design.classes[i], part["classes"][i]) for i in np.argsort(-np.abs(part["classes"]))[:25]))


if __name__ == "__main__":
    main()
