package infer

// LibraryName is the file of onnxruntime.
const LibraryName = "libonnxruntime.so"
