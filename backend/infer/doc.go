// Package infer runs the two small models of a search in this process, on
// onnxruntime: an embedder, which turns texts into vectors, and a
// cross-encoder, which scores a passage against a query.
//
// onnxruntime allows one environment in a process, so there is one Runtime; it
// opens the library and loads each model when it is first asked, and not
// before. Every text is run by itself: the int8 files take one activation scale
// a batch, so in company a text's result would depend on its neighbours (see
// the models' cards). Work is spread over texts instead, one thread each.
//
// Loading a model changes the process's working directory for a moment, which
// the library underneath insists on: paths from the command line must have been
// made absolute by then.
package infer
