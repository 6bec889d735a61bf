"""Write reference.json: what onnxruntime gives for a few texts, one at a time.

    pip install onnxruntime tokenizers numpy;  python reference.py ../../../models > reference.json
"""
import json, sys
import numpy as np, onnxruntime as ort
from tokenizers import Tokenizer

def load(name):
    folder = f"{sys.argv[1]}/{name}"
    tok = Tokenizer.from_file(folder + "/tokenizer.json")
    opts = ort.SessionOptions(); opts.intra_op_num_threads = 1
    return tok, ort.InferenceSession(folder + "/model.onnx", opts, providers=["CPUExecutionProvider"])

def feed(e, types=None):
    row = lambda x: np.array([x], dtype=np.int64)
    return {"input_ids": row(e.ids), "attention_mask": row(e.attention_mask), "token_type_ids": row(types or e.type_ids)}

texts = [
    "Fees",
    "[FTC 16 CFR 255.5(a) - Material connections | Type: card]\nSay so, clearly, when the seller pays you for what you say.",
    "They raised my card's interest rate without telling me: is that allowed? Naïve question.",
]
query = "How long must a creditor keep records?"
pairs = [
    "[CFPB 12 CFR 1026.25(a) - Record retention | Type: rule]\nA creditor shall keep records of compliance for two years.",
    "[FTC 16 CFR 255.3(a) - Experts | Type: card]\nAn expert must have the expertise that is claimed.",
    "A short text without a header.",
]
tok, model = load("embedder")
vectors = []
for t in texts:
    e = tok.encode(t)
    v = model.run(None, feed(e))[0][0].mean(axis=0)
    vectors.append([round(float(x), 7) for x in (v / np.linalg.norm(v))[:8]])
tok, model = load("reranker")
logits = [round(float(model.run(None, feed(tok.encode(query, p)))[0][0][0]), 5) for p in pairs]
json.dump({"texts": texts, "vectors": vectors, "query": query, "pairs": pairs, "logits": logits}, sys.stdout, indent=1, ensure_ascii=False)
