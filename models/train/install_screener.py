"""Take an exported screener (train_screener.py export) into models/screener and write its digests into the manifest.

    install_screener.py DIR
"""
import hashlib, json, os, shutil, sys

here = os.path.dirname(os.path.abspath(__file__)) + "/.."
names = ["model.onnx", "tokenizer.json", "config.json", "calibration.json", "MODEL_CARD.md"]
shared = {"tokenizer.json": "embedder/tokenizer.json"}       # the same vocabulary as the embedder's
for n in names:
    src = os.path.join(sys.argv[1], n)
    if n not in shared and os.path.exists(src): shutil.copy(src, here + "/screener/" + n)
files = []
for n in names:
    data = open(here + "/" + shared.get(n, "screener/" + n), "rb").read()
    files.append((n, len(data), hashlib.sha256(data).hexdigest()))
entry = {
    "name": "regulation-screener", "kind": "screener", "licence": "Apache-2.0",
    "description": "Says of a sentence in its context which behaviours it shows; comes inside the program.",
    "default": True, "memory_mb": 250,
    "files": [{"name": n, "size": s, "sha256": h} for n, s, h in files],
    "sources": [{"type": "embedded", "files": [{"name": n, "path": shared.get(n, "screener/" + n)} for n in names]}],
}
path = here + "/manifest.json"
m = json.load(open(path))
at = [i for i, x in enumerate(m["models"]) if x["name"] == entry["name"]]
if at: m["models"][at[0]] = entry
else: m["models"].insert([x["name"] for x in m["models"]].index("regulation-reranker") + 1, entry)

def write(v, indent=0):
    """JSON as the file is written: short objects on one line."""
    one = json.dumps(v, ensure_ascii=False)
    flat = isinstance(v, dict) and not any(isinstance(x, (dict, list)) for x in v.values())
    if not isinstance(v, (dict, list)) or (flat and len(one) < 190) or not v: return one
    pad = "  " * (indent + 1)
    if isinstance(v, dict): body = [pad + json.dumps(k) + ": " + write(x, indent + 1) for k, x in v.items()]
    else: body = [pad + write(x, indent + 1) for x in v]
    o, c = ("{", "}") if isinstance(v, dict) else ("[", "]")
    return o + "\n" + ",\n".join(body) + "\n" + "  " * indent + c

open(path, "w").write(write(m) + "\n")
