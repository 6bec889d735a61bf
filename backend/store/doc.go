// Package store keeps everything that VeriStream knows in one SQLite file:
// videos, audits with their segments, findings and decisions, what each stage
// made, the installed rules and cards, and the passages with their full-text
// and vector indexes.
//
// The file is in WAL mode with foreign keys on and fsync at every commit, so
// that a decision that was shown as saved is saved. Two processes may use one
// file: writers wait for each other, readers do not wait. Migrations are
// numbered files that only go up; a file from a newer version is refused.
//
// Failures carry a code and a sentence (audit.CodeStorage). A thing that is not
// there is ErrNotFound.
package store
