// Package regs holds the rule cards, the schema of their files and the list of official sources
// as embedded data. It knows nothing about them: backend/regs reads them.
package regs

import "embed"

// Files holds cards/*.yaml, card.schema.json, sources.yaml and checked.json under those names.
//
//go:embed cards/*.yaml card.schema.json sources.yaml checked.json
var Files embed.FS
