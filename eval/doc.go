// Package eval measures the packages below it: labelled cases, metrics with
// their intervals, ablations and benches. It may import everything; nothing
// imports it but the command line.
package eval
