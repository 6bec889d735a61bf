"""A BERT's weights for BASE from an ONNX export of it, where no safetensors file is at hand.

    base_from_onnx.py MODEL.onnx TOKENIZER.json DIR

The matrices of an export have lost their names; each stands in front of the bias of its module.
"""
import os, shutil, sys
import numpy as np, onnx, torch
from onnx import numpy_helper
from safetensors.torch import save_file

graph = onnx.load(sys.argv[1]).graph
value = {i.name: numpy_helper.to_array(i) for i in graph.initializer}
out = {k: torch.tensor(np.array(v)) for k, v in value.items() if k.startswith(("embeddings.", "encoder."))}
reads = {}
for n in graph.node:
    for i in n.input: reads.setdefault(i, []).append(n)
for n in graph.node:
    if n.op_type != "MatMul" or n.input[1] not in value: continue
    add = next(r for r in reads[n.output[0]] if r.op_type == "Add")
    bias = next(i for i in add.input if i in value)
    out[bias.replace(".bias", ".weight")] = torch.tensor(np.array(value[n.input[1]]).T.copy())
layers = 1 + max(int(k.split(".")[2]) for k in out if k.startswith("encoder.layer."))
assert len(out) == 5 + 16 * layers, "%d tensors for %d layers" % (len(out), layers)
os.makedirs(sys.argv[3], exist_ok=True)
save_file(out, sys.argv[3] + "/model.safetensors"); shutil.copy(sys.argv[2], sys.argv[3] + "/tokenizer.json")
print("%d layers, %d tensors" % (layers, len(out)))
