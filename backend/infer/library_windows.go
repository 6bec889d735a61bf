package infer

const libraryName = "onnxruntime.dll"
