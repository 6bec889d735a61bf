package core

import (
	"context"
	"errors"

	"veristream/backend/agent"
	"veristream/backend/audit"
	"veristream/backend/media"
)

// Look asks the site of an address about its video and fetches nothing. What is
// in the cache is known without asking.
func (f Fetcher) Look(ctx context.Context, address string) (media.Remote, error) {
	if got, ok := f.cached(f.Dirs.Fetched(hash(address)[:32])); ok {
		return got.Remote, nil
	}
	if err := Online(ctx, f.Store, "no site is asked about a video"); err != nil {
		return media.Remote{}, err
	}
	remote, _, err := f.look(ctx, address)
	return remote, err
}

// Stated gives the facts that a site and its description of a video state, for a
// person to confirm.
func Stated(r media.Remote) []audit.ProposedFact {
	return append(proposals(r, audit.Facts{}), agent.ProposeFacts(described(r))...)
}

// OverLimits says in a sentence that a video is over the limits of what is
// fetched without being asked; empty where it is not, or where that is not known.
func OverLimits(r media.Remote) string {
	if err := DefaultLimits.admit(r); errors.Is(err, media.ErrLimit) {
		return audit.SentenceOf(err)
	}
	return ""
}
