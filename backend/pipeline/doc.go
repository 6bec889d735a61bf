// Package pipeline owns the order of the stages of an audit: which runs after
// which, what a stage's result is keyed by, how an audit that was cut off goes
// on, how progress is told and how cancelling settles.
package pipeline
