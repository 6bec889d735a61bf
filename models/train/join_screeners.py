"""Two screeners as one: the mean of what both say is better than either (../screener/MODEL_CARD.md).

    join_screeners.py join A.onnx B.onnx DIR        DIR/model.onnx, and DIR/calibration.json from held-out sentences
    join_screeners.py part MODEL.onnx a|b OUT.onnx  one of the two again, for recover_screener.py
"""
import random, sys
import onnx
from onnx import compose, helper, TensorProto
from train_screener import *

INPUTS = ["input_ids", "attention_mask", "token_type_ids"]
SENTENCES = 1500                          # of the held-out ones, for the calibration


def join(a, b, out):
    parts = [compose.add_prefix(onnx.load(path), prefix) for path, prefix in ((a, "a_"), (b, "b_"))]
    graph = helper.make_graph([], "two screeners", [], [])
    first = onnx.load(b).graph
    graph.input.extend(first.input); graph.output.extend(first.output)
    half = helper.make_tensor("half", TensorProto.FLOAT, [], [0.5]); graph.initializer.append(half)
    for part, prefix in zip(parts, ("a_", "b_")):
        for node in part.graph.node:
            for k, name in enumerate(node.input):
                if name.removeprefix(prefix) in INPUTS: node.input[k] = name.removeprefix(prefix)
        graph.node.extend(part.graph.node); graph.initializer.extend(part.graph.initializer)
        graph.node.append(helper.make_node("Mul", [prefix + "logits", "half"], [prefix + "share"]))
    graph.node.append(helper.make_node("Add", ["a_share", "b_share"], ["logits"]))
    model = helper.make_model(graph, opset_imports=list(parts[1].opset_import)); model.ir_version = parts[1].ir_version
    onnx.checker.check_model(model)
    os.makedirs(out, exist_ok=True); onnx.save(model, out + "/model.onnx")
    print("bytes", os.path.getsize(out + "/model.onnx"))


def calibrate(out):
    import onnxruntime as ort
    bs, tok, s, z = behaviours(), get_tok(), ort.InferenceSession(out + "/model.onnx"), []
    rows = [r for r in records() if held_out(r)]; random.Random(5).shuffle(rows); rows = rows[:SENTENCES]
    for r in rows:
        ids, mask = batch([encode(tok, r["before"], r["claim"], r["after"])])
        z.append(s.run(None, dict(zip(INPUTS, (ids.numpy(), mask.numpy(), np.zeros_like(ids.numpy())))))[0][0])
    z = torch.tensor(np.array(z)); report(z, rows, bs)
    json.dump(dict(cuts=cuts(z, rows, bs)), open(out + "/calibration.json", "w"), indent=1)


def part(path, which, out):
    model, prefix = onnx.load(path), which + "_"
    bare = lambda name: name.removeprefix(prefix)
    nodes = [n for n in model.graph.node if all(o.startswith(prefix) for o in n.output) and n.output[0] != prefix + "share"]
    for n in nodes:
        n.input[:], n.output[:], n.name = [bare(i) for i in n.input], [bare(o) for o in n.output], bare(n.name)
    values = [i for i in model.graph.initializer if i.name.startswith(prefix)]
    for i in values: i.name = bare(i.name)
    graph = helper.make_graph(nodes, "screener", model.graph.input, model.graph.output, values)
    one = helper.make_model(graph, opset_imports=list(model.opset_import)); one.ir_version = model.ir_version
    onnx.checker.check_model(one); onnx.save(one, out)


if __name__ == "__main__":
    if sys.argv[1] == "join":
        join(*sys.argv[2:5]); calibrate(sys.argv[4])
    else:
        part(*sys.argv[2:5])
