package infer

const libraryName = "libonnxruntime.so"
