// Package app is the composition root of the window: the services that the
// front end calls, the shapes in which they answer, and the events that say
// what has changed. It knows no window toolkit: package app/window lends it
// one as a Shell, and package app/core lends it the machines as Parts.
//
// Nothing here is a source of truth. What an audit found and what a person
// decided live in the store behind Archive and Record; only how the window is
// set up (theme, keys, where the playhead stood) is kept by this package.
package app
