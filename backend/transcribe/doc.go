// Package transcribe owns speech recognition: which stretches of sound hold
// something to hear, what Whisper makes of them, which of its words are not to
// be trusted, and how they become one segment a sentence with a time for every
// word.
//
// Whisper runs in a worker: another process of the same program, started by
// Worker, that writes JSON lines. A native crash, a kill or a runaway of memory
// ends the worker and nothing else. Package whispercpp, below this one, holds
// the native part, so that everything here is plain Go.
//
// # What is not speech
//
// Whisper was trained on captions and invents them where nobody speaks. Three
// things stand against it: silence never reaches the model (activity.go), the
// model's own signals are looked at, and the text itself is (doubt.go). What is
// doubtful is kept with audit.Segment.Flag, shown to the user, and left out of
// the audit.
package transcribe
