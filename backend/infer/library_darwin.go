package infer

const libraryName = "libonnxruntime.dylib"
