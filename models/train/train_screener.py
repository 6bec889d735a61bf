"""Train the screener: one pass over a claim with its neighbours -> for every behaviour, triggered and look-alike.

    train_screener.py OUT.pt MINUTES [seed]        train on eval/screener/*.jsonl, time-boxed, report the held-out tenth
    train_screener.py export OUT.pt DIR            ONNX, int8, calibration and figures

INIT names the weights of an earlier run to go on from (recover_screener.py makes them of the shipped model), LR the
body's learning rate, INT8=1 trains with weights as coarse as the export leaves them, TWICE the first letters of videos
that stand twice in an epoch because INIT has not seen them.
BASE names all-MiniLM-L6-v2 (model.safetensors, tokenizer.json, vocab.txt); DATA the folder of *.jsonl;
BEHAVIOURS the file behaviours.yaml; CARDS the folder of rule cards (optional, their triggers add examples).

Text: "[CLS] before [SEP] claim [SEP] after [SEP]". The graph finds the segments itself by counting [SEP], so that
one string in, one pass, is all that a runtime needs. Head: the claim's mean against a vector for each behaviour
that starts as the embedding of its title, question and examples, plus a hidden layer that starts at zero.
"""
import glob, hashlib, random, sys, time
import yaml
from common import *

DATA, BEHAVIOURS, CARDS = (os.environ.get(k, d) for k, d in (("DATA", "../../eval/screener"), ("BEHAVIOURS", "../../backend/agent/data/behaviours.yaml"), ("CARDS", "")))
MAXCLAIM, MAXSIDE = 70, 24                # words; backend/infer/classifier.go cuts alike

def behaviours():
    return yaml.safe_load(open(BEHAVIOURS))["behaviours"]

def held_out(r):
    return int(hashlib.md5(("v1" + r["claim"].lower()).encode()).hexdigest(), 16) % 100 < 10

def records():
    out = []
    for f in sorted(glob.glob(DATA + "/data-*.jsonl")):
        out += [json.loads(l) for l in open(f) if l.strip()]
    return out + sentences()

WITHOUT = set(open(os.environ["WITHOUT"]).read().split()) if os.environ.get("WITHOUT") else set()    # ids of videos to leave out

def sentences():
    """The videos' sentences, each with its neighbours in the same channel."""
    out = []
    for f in sorted(glob.glob(DATA + "/videos/*.jsonl")):
        for line in open(f):
            v = json.loads(line)
            if v["id"] in WITHOUT: continue
            for source in ("speech", "screen", "description"):
                s = [x for x in v["segments"] if x["source"] == source]
                for i, x in enumerate(s):
                    out.append(dict(id=v["id"], claim=x["text"], before=s[i - 1]["text"] if i else "", after=s[i + 1]["text"] if i + 1 < len(s) else "", labels=x.get("labels", {}), video=True))
    return out

def spoil(s, rng):
    """As speech recognition writes it: lower case, no marks."""
    return re.sub(r"[^\w\s$%']", "", s.lower()) if rng.random() < 0.25 else s

def drop_inside(p):
    """The body in common.py has no dropout: put it on the two outputs of each layer while training."""
    def forward(self, x, bias, plain):
        b, s, h = x.shape
        q, k, v = (f(x).view(b, s, 12, 32).transpose(1, 2) for f in (self.q, self.k, self.v))
        a = torch.softmax(q @ k.transpose(-1, -2) / math.sqrt(32) + bias, -1) @ v if plain else F.scaled_dot_product_attention(q, k, v, attn_mask=bias.to(q.dtype))
        x = self.n1(x + F.dropout(self.o(a.transpose(1, 2).reshape(b, s, h)), p, self.training))
        return self.n2(x + F.dropout(self.down(F.gelu(self.up(x))), p, self.training))
    Layer.forward = forward

def coarse():
    """Weights as int8 with `reduce_range` leaves them: 129 steps a channel. The gradient passes as if they were fine."""
    def forward(self, x):
        step = self.weight.detach().abs().amax(1, keepdim=True).clamp(min=1e-8) / 64
        w = self.weight + ((self.weight / step).round() * step - self.weight).detach()
        return F.linear(x, w, self.bias)
    nn.Linear.forward = forward

class Screener(nn.Module):
    def __init__(self, n, start=None):
        super().__init__()
        self.bert, self.n = Bert(), n
        self.vec = nn.Parameter(start.clone() if start is not None else torch.zeros(n, 384))
        self.scale, self.bias = nn.Parameter(torch.full((2 * n,), 8.0)), nn.Parameter(torch.full((2 * n,), -5.0))
        self.hid, self.out = nn.Linear(4 * 384, 384), nn.Linear(384, 2 * n)
        self.drop = nn.Dropout(0.3)
        nn.init.zeros_(self.out.weight); nn.init.zeros_(self.out.bias)
    def encode(self, ids, mask):
        sep = (ids == 102).long(); seg = torch.cumsum(sep, 1) - sep
        x = self.bert(ids, mask, torch.zeros_like(ids)).float()
        w = ((seg == 1) & (sep == 0)).float() * mask.float()
        whole = mask.float()
        mean = lambda w: (x * w.unsqueeze(-1)).sum(1) / w.sum(1, keepdim=True).clamp(min=1.0)
        return x[:, 0], mean(w), mean(whole), (x - (1 - w.unsqueeze(-1)) * 1e4).max(1).values
    def forward(self, ids, mask):
        c, m, a, mx = self.encode(ids, mask)
        unit = lambda y: y / (y * y).sum(-1, keepdim=True).clamp(min=1e-6).sqrt()
        cos = unit(m) @ unit(self.vec).t()
        h = torch.nn.functional.gelu(self.hid(self.drop(torch.cat([c, m, a, mx], -1))))
        return torch.cat([cos, cos], -1) * self.scale + self.bias + self.out(self.drop(h))

def encode(tok, before, claim, after):
    w = lambda s: s.split(); e = lambda ws: tok.encode(" ".join(ws), add_special_tokens=False).ids
    return [101] + e(w(before)[-MAXSIDE:]) + [102] + e(w(claim)[:MAXCLAIM]) + [102] + e(w(after)[:MAXSIDE]) + [102]

def batch(rows):
    L = max(len(r) for r in rows); ids = torch.zeros(len(rows), L, dtype=torch.long); mask = ids.clone()
    for i, r in enumerate(rows):
        ids[i, :len(r)] = torch.tensor(r); mask[i, :len(r)] = 1
    return ids, mask

def extra(bs):
    """Examples in behaviours.yaml: known for their own behaviour only, so the others are masked."""
    out = []
    for b in bs:
        out += [dict(claim=t, before="", after="", labels={b["id"]: "triggered"}, partial=True) for t in b.get("examples", [])]
        out += [dict(claim=t, before="", after="", labels={b["id"]: "look_alike"}, partial=True) for t in b.get("look_alikes", [])]
    return out

def targets(r, index, n):
    y, w = torch.zeros(2 * n), torch.zeros(2 * n) if r.get("partial") else torch.ones(2 * n)
    for k, v in r["labels"].items():
        if k not in index: continue
        i = index[k]; y[i], y[n + i] = float(v == "triggered"), float(v == "look_alike"); w[i] = w[n + i] = 1.0
        if v == "look_alike": w[i] = 3.0                     # calling a look-alike triggered is the costly mistake
    return y, w

def logits(m, tok, rows, size=32):
    m.eval(); out = [None] * len(rows); enc = [encode(tok, r["before"], r["claim"], r["after"]) for r in rows]
    order = sorted(range(len(rows)), key=lambda i: len(enc[i]))
    with torch.inference_mode():
        for a in range(0, len(order), size):
            o = m(*batch([enc[i] for i in order[a:a + size]]))
            for i, v in zip(order[a:a + size], o): out[i] = v
    return torch.stack(out)

def auc(s, y):
    pos, neg = s[y > 0], s[y == 0]
    if len(pos) == 0 or len(neg) == 0: return float("nan")
    order = np.argsort(np.concatenate([neg, pos]), kind="mergesort"); rank = np.empty(len(order)); rank[order] = np.arange(1, len(order) + 1)
    return (rank[len(neg):].sum() - len(pos) * (len(pos) + 1) / 2) / len(pos) / len(neg)

def cuts(z, rows, bs):
    """For each behaviour the cut with the best F1 on these rows, shrunk towards the common one."""
    n = len(bs); p = torch.sigmoid(z[:, :n]).numpy(); y = np.zeros((len(rows), n)); index = {b["id"]: i for i, b in enumerate(bs)}
    for r, row in enumerate(rows):
        for k, v in row["labels"].items():
            if k in index and v == "triggered": y[r, index[k]] = 1
    grid = np.linspace(0.1, 0.9, 33)
    f1 = lambda p, y, t: 2 * ((p >= t) & (y > 0)).sum() / max(1, (p >= t).sum() + (y > 0).sum())
    common = max(grid, key=lambda t: f1(p, y, t))
    out = {}
    for i, b in enumerate(bs):
        k = y[:, i].sum(); best = max(grid, key=lambda t: (f1(p[:, i], y[:, i], t), -abs(t - common)))
        out[b["id"]] = round(float((best * k + common * 12) / (k + 12)), 3)
    t = np.array([out[b["id"]] for b in bs]); hit = p >= t
    print("  common cut %.2f; own cuts: recall %.3f precision %.3f" % (common, hit[y > 0].mean(), y[hit].mean()))
    return out

def report(z, rows, bs, say=print):
    n = len(bs); p = torch.sigmoid(z[:, :n]).numpy(); y = np.zeros((len(rows), n)); la = y.copy()
    index = {b["id"]: i for i, b in enumerate(bs)}
    for r, row in enumerate(rows):
        for k, v in row["labels"].items():
            if k in index: (y if v == "triggered" else la)[r, index[k]] = 1
    for t in (0.3, 0.5, 0.7):
        hit = p >= t
        say("  at %.1f: recall %.3f precision %.3f; look-alikes called triggered %.3f (n=%d triggered, %d look-alikes)" % (
            t, hit[y > 0].mean(), y[hit].mean() if hit.any() else 0, hit[la > 0].mean(), int(y.sum()), int(la.sum())))
    rows_auc = [(b["id"], auc(p[:, i], y[:, i]), int(y[:, i].sum()), float(np.mean(p[:, i][la[:, i] > 0] >= 0.5)) if la[:, i].any() else 0.0) for i, b in enumerate(bs)]
    known = [a for _, a, k, _ in rows_auc if k]
    say("  mean AUC %.3f over %d behaviours; any-triggered AUC %.3f" % (np.mean(known), len(known), auc(p.max(1), y.max(1))))
    return rows_auc

def main():
    out, minutes, seed = sys.argv[1], float(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 1
    drop_inside(0.1)
    if os.environ.get("INT8"): coarse()
    torch.manual_seed(seed); rng = random.Random(seed); torch.set_num_threads(int(os.environ.get("THREADS", "2")))
    bs, tok = behaviours(), get_tok(); index = {b["id"]: i for i, b in enumerate(bs)}; n = len(bs)
    R = records(); dev = [r for r in R if held_out(r)]; train = [r for r in R if not held_out(r)] + extra(bs)
    train += [r for r in train if r.get("video") and r["id"][0] in os.environ.get("TWICE", "")]
    print("train %d, held out %d, behaviours %d" % (len(train), len(dev), n), flush=True)
    with torch.inference_mode():                             # a behaviour starts as the mean of what describes it
        body, vecs = Screener(n), []
        for b in bs:
            texts = [b["title"], b["question"]] + b.get("examples", [])
            vecs.append(body.encode(*batch([encode(tok, "", t, "") for t in texts]))[1].mean(0))
    m = Screener(n, torch.stack(vecs))
    if os.environ.get("INIT"): m.load_state_dict(torch.load(os.environ["INIT"]))      # go on from an earlier run
    m.bert.word.weight.requires_grad_(False)
    named = [(k, p) for k, p in m.named_parameters() if p.requires_grad]
    lr = float(os.environ.get("LR", "7e-5")); rate = lambda k: lr * 8 if k.split(".")[0] in ("scale", "bias", "out", "hid", "vec") else lr
    opt = torch.optim.AdamW([dict(params=[p], lr=rate(k), base=rate(k)) for k, p in named], weight_decay=0.02, foreach=False)
    ema = {k: p.detach().clone() for k, p in named}
    t0, step, seen, log, queue = time.time(), 0, 0, [], []
    while (f := (time.time() - t0) / (minutes * 60)) < 1:
        if len(queue) < 32:
            order = [r for r in train if r["labels"] or not r.get("video") or rng.random() < 0.6]; rng.shuffle(order); queue += order    # chatter abounds
        rows, queue = queue[:32], queue[32:]; seen += 32
        for g in opt.param_groups: g["lr"] = g["base"] * min(f / 0.05, (1 - f) / 0.95, 1)
        enc, Y, W = [], [], []
        for r in rows:
            b, a = (r["before"], r["after"]) if r.get("labels", {}).get("warns_of_others") or rng.random() < 0.8 else ("", "")
            enc.append(encode(tok, spoil(b, rng), spoil(r["claim"], rng), spoil(a, rng))); y, w = targets(r, index, n); Y.append(y); W.append(w)
        m.train()
        order, z = sorted(range(32), key=lambda i: len(enc[i])), [None] * 32
        for e in enc:                                        # a word now and then is hidden
            for i in range(1, len(e) - 1):
                if e[i] != 102 and rng.random() < 0.06: e[i] = 103
        for a in range(0, 32, 16):
            with torch.autocast("cpu", torch.bfloat16, enabled=bool(os.environ.get("BF16"))):       # twice as fast where the processor has it, half as fast elsewhere
                o = m(*batch([enc[i] for i in order[a:a + 16]]))
            for i, v in zip(order[a:a + 16], o.float()): z[i] = v
        z, Y, W = torch.stack(z), torch.stack(Y), torch.stack(W)
        pos = torch.cat([torch.full((n,), 4.0), torch.full((n,), 3.0)])
        loss = (F.binary_cross_entropy_with_logits(z, Y, pos_weight=pos, reduction="none") * W * torch.cat([torch.ones(n), torch.full((n,), 0.4)])).sum() / 32
        opt.zero_grad(); loss.backward(); torch.nn.utils.clip_grad_norm_(m.parameters(), 1.0); opt.step(); step += 1
        with torch.no_grad():
            for k, p in named: ema[k].lerp_(p, 1 - min(0.995, step / (step + 20)))
        log.append(loss.item())
        if step % 25 == 0: print("step %d %.0f%% epochs %.1f loss %.3f %.1f rows/s" % (step, 100 * f, seen / len(train), np.mean(log[-25:]), seen / (time.time() - t0)), flush=True)
    m.load_state_dict({**m.state_dict(), **ema}); torch.save(m.state_dict(), out)
    print("saved", out, "steps", step, "epochs %.1f" % (seen / len(train)))
    z = logits(m, tok, dev); cuts(z, dev, bs)
    for row in sorted(report(z, dev, bs), key=lambda r: r[1]): print("   %-26s AUC %.3f n=%d look-alikes taken %.2f" % row)

def export():
    from onnxruntime.quantization import QuantType, quantize_dynamic
    import onnxruntime as ort, shutil
    src, out = sys.argv[2], sys.argv[3]; os.makedirs(out, exist_ok=True)
    bs, tok = behaviours(), get_tok(); n = len(bs); m = Screener(n); m.load_state_dict(torch.load(src)); m.eval(); m.bert.plain = True
    R = records(); dev = [r for r in R if held_out(r)]
    class Wrap(nn.Module):
        def __init__(self): super().__init__(); self.m = m
        def forward(self, input_ids, attention_mask, token_type_ids): return self.m(input_ids, attention_mask) + token_type_ids.sum() * 0.0
    ids, mask = batch([encode(tok, r["before"], r["claim"], r["after"]) for r in dev[:4]])
    names, ax = ["input_ids", "attention_mask", "token_type_ids"], {0: "batch_size", 1: "sequence_length"}
    torch.onnx.export(Wrap(), (ids, mask, torch.zeros_like(ids)), out + "/model_fp32.onnx", input_names=names, output_names=["logits"], opset_version=17, dynamo=False, dynamic_axes={**{k: ax for k in names}, "logits": {0: "batch_size"}})
    quantize_dynamic(out + "/model_fp32.onnx", out + "/model.onnx", weight_type=QuantType.QInt8, per_channel=True, reduce_range=True, op_types_to_quantize=["MatMul", "Gemm", "Gather"])
    def run(path):
        s = ort.InferenceSession(path); z = []
        for r in dev:
            i, k = batch([encode(tok, r["before"], r["claim"], r["after"])]); z.append(torch.tensor(s.run(None, dict(input_ids=i.numpy(), attention_mask=k.numpy(), token_type_ids=np.zeros_like(i.numpy())))[0][0]))
        return torch.stack(z)
    for name in ("model_fp32", "model"):
        print(name); rows = report(run(out + "/" + name + ".onnx"), dev, bs)
    json.dump(dict(cuts=cuts(run(out + "/model.onnx"), dev, bs)), open(out + "/calibration.json", "w"), indent=1)
    labels = [b["id"] for b in bs]; labels = labels + [l + "#look_alike" for l in labels]
    json.dump(dict(architectures=["BertForSequenceClassification"], model_type="bert", problem_type="multi_label_classification", num_labels=2 * n, hidden_size=384, max_position_embeddings=512, vocab_size=30522,
                   id2label={str(i): l for i, l in enumerate(labels)}, label2id={l: i for i, l in enumerate(labels)}), open(out + "/config.json", "w"), indent=1)
    t = json.load(open(BASE + "/tokenizer.json")); t["truncation"] = t["padding"] = None; json.dump(t, open(out + "/tokenizer.json", "w"), ensure_ascii=False)
    for row in sorted(rows, key=lambda r: r[1]): print("   %-26s AUC %.3f n=%d look-alikes taken %.2f" % row)
    os.remove(out + "/model_fp32.onnx"); print("bytes", os.path.getsize(out + "/model.onnx"))

if __name__ == "__main__":
    export() if sys.argv[1] == "export" else main()
