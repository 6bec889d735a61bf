"""Recover the screener's weights for PyTorch from the int8 model in ../screener, to go on training from it.

    recover_screener.py OUT.pt [MODEL.onnx]       then INIT=OUT.pt train_screener.py ...

recover.py says how. At the end the recovered network and
the one in the file must say nearly the same of the held-out sentences: int8 also rounds what flows through.
"""
from recover import as_before, dequantised
from train_screener import *


def recovered():
    import onnxruntime as ort
    path = sys.argv[2] if len(sys.argv) > 2 else os.path.dirname(os.path.abspath(__file__)) + "/../screener/model.onnx"
    state, step = dequantised(path, "m")
    m = Screener(len(behaviours()))
    as_before(state, step, m.bert.word.weight.detach().clone())
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
