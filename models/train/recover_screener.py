"""Recover the screener's weights for PyTorch from the int8 model in ../screener, to go on training from it.

    recover_screener.py OUT.pt [MODEL.onnx]       then INIT=OUT.pt train_screener.py ...

Each int8 matrix times its scale is the weight within half a step; which module it belongs to, its node's name says.
The vectors of words are never trained, so they come from BASE as they were. At the end the recovered network and
the one in the file must say nearly the same of the held-out sentences: int8 also rounds what flows through.
"""
from train_screener import *


def recover(path):
    import onnx
    from onnx import numpy_helper
    graph = onnx.load(path).graph
    value = {i.name: numpy_helper.to_array(i) for i in graph.initializer}
    state = {k[2:]: v for k, v in value.items() if k.startswith("m.") and "weight_" not in k}
    for node in graph.node:
        if node.op_type == "MatMulInteger":                  # "/m/bert/layers.0/q/MatMul_quant", "/m/hid/Gemm_MatMul_quant"
            module, name = ".".join(node.name.split("/")[2:-1]), node.input[1].removesuffix("_quantized")
            whole = (value[name + "_quantized"].astype(np.float32) - value[name + "_zero_point"]) * value[name + "_scale"]
            state[module + ".weight"] = whole.T
    for k in ("word", "pos", "typ"):
        name = "m.bert.%s.weight" % k
        state["bert.%s.weight" % k] = (value[name + "_quantized"].astype(np.float32) - value[name + "_zero_point"]) * value[name + "_scale"]
    return {k: torch.tensor(np.ascontiguousarray(v, dtype=np.float32)) for k, v in state.items()}, float(value["m.bert.word.weight_scale"])


def recovered():
    import onnxruntime as ort
    path = sys.argv[2] if len(sys.argv) > 2 else os.path.dirname(os.path.abspath(__file__)) + "/../screener/model.onnx"
    state, step = recover(path)
    m = Screener(len(behaviours()))
    base = m.bert.word.weight.detach().clone()
    off = (state["bert.word.weight"] - base).abs().max().item()
    print("vectors of words: largest difference %.5f at a step of %.5f" % (off, step))
    if off <= step * 0.51: state["bert.word.weight"] = base
    m.load_state_dict(state)
    tok, rows = get_tok(), [r for r in records() if held_out(r)][::5]
    z, s, whole = logits(m, tok, rows), ort.InferenceSession(path), []
    for r in rows:
        ids, mask = batch([encode(tok, r["before"], r["claim"], r["after"])])
        whole.append(s.run(None, dict(input_ids=ids.numpy(), attention_mask=mask.numpy(), token_type_ids=np.zeros_like(ids.numpy())))[0][0])
    whole = torch.tensor(np.array(whole))
    print("%d sentences: mean difference of logits %.3f, correlation %.4f, same side of one half %.4f" % (
        len(rows), (z - whole).abs().mean(), np.corrcoef(z.flatten(), whole.flatten())[0, 1], ((z > 0) == (whole > 0)).float().mean()))
    report(z, rows, behaviours()); report(whole, rows, behaviours())
    torch.save(state, sys.argv[1])


if __name__ == "__main__":
    recovered()
