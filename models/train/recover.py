"""Weights for PyTorch from an int8 model: each int8 matrix times its scale is the weight within half a step; which
module it belongs to, its node's name says.

    recover.py OUT.pt        of the reranker in ../reranker, to go on training from it (INIT=OUT.pt)
"""

from common import *


def dequantised(path, root):
    """-> {parameter: weights}, the step of the vectors of words. Nodes are named /ROOT/bert/..., or /bert/... for an empty root."""
    import onnx
    from onnx import numpy_helper

    graph, dot = onnx.load(path).graph, root + "." if root else ""
    value = {i.name: numpy_helper.to_array(i) for i in graph.initializer}
    whole = lambda n: (
        (value[n + "_quantized"].astype(np.float32) - value[n + "_zero_point"]) * value[n + "_scale"]
    )
    state = {
        k[len(dot) :]: v
        for k, v in value.items()
        if k.startswith(dot) and "weight_" not in k and (root or "::" not in k)  # those with :: are the int8 matrices
    }
    for node in graph.node:
        if node.op_type == "MatMulInteger":  # "/m/bert/layers.0/q/MatMul_quant", "/hid/Gemm_MatMul_quant"
            module = ".".join(node.name.split("/")[2 if root else 1 : -1])
            state[module + ".weight"] = whole(node.input[1].removesuffix("_quantized")).T
    for k in ("word", "pos", "typ"):
        state["bert.%s.weight" % k] = whole("%sbert.%s.weight" % (dot, k))
    return {k: torch.tensor(np.ascontiguousarray(v, dtype=np.float32)) for k, v in state.items()}, float(
        value[dot + "bert.word.weight_scale"]
    )


def as_before(state, step, base):
    """The vectors of words are never trained: they come from BASE as they were."""
    off = (state["bert.word.weight"] - base).abs().max().item()
    print("vectors of words: largest difference %.5f at a step of %.5f" % (off, step))
    if off <= step * 0.51:
        state["bert.word.weight"] = base


def main():
    import sys

    import onnxruntime as ort

    path = os.path.dirname(os.path.abspath(__file__)) + "/../reranker/model.onnx"
    state, step = dequantised(path, "")
    m = CrossEncoder().eval()
    as_before(state, step, m.bert.word.weight.detach().clone())
    print("missing", set(m.state_dict()) ^ set(state))
    m.load_state_dict(state)
    torch.save(state, sys.argv[1])
    lists, tok, s, z, y = jsonl("data/lists.jsonl")[:8], get_tok(232, pair=True), ort.InferenceSession(path), [], []
    for l in lists:
        for e in tok.encode_batch([(l["query"], t) for t in [l["pos"]] + l["negs"][:7]]):
            b = collate([(e.ids, e.type_ids)])
            names = ("input_ids", "attention_mask", "token_type_ids")
            y.append(s.run(None, {n: x.numpy() for n, x in zip(names, b)})[0].item())
            with torch.inference_mode():
                z.append(m(*b).item())
    z, y = np.array(z), np.array(y)
    print("%d pairs: mean difference of logits %.3f, correlation %.4f" % (len(z), abs(z - y).mean(), np.corrcoef(z, y)[0, 1]))


if __name__ == "__main__":
    main()
