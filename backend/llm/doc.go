// Package llm asks a local language model through Ollama. It finds a server
// that runs, or starts one of its own and stops it again; it registers a GGUF
// file of the program's with that server; and it turns every way in which a
// call can fail into an error of its own, so that a failed call is never taken
// for an empty answer.
//
// Nothing is sent to another computer unless the caller allows it.
package llm
