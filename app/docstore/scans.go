package docstore

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	"veristream/backend/audit"
	"veristream/backend/docs"
	"veristream/backend/store"
)

// PageStore keeps what was read of pages; the database does.
type PageStore interface {
	StageResult(ctx context.Context, key store.Key) (json.RawMessage, bool, error)
	SaveStage(ctx context.Context, key store.Key, result json.RawMessage) error
	DropStages(ctx context.Context, content string) (int, error)
}

// Scans reads the pages of PDFs that hold no text. What it has read is kept until
// the document is in, so that an import that was stopped goes on where it was.
type Scans struct {
	Reader audit.TextReader
	ID     string // of the reader: another one reads anew
	Kept   PageStore
}

// scanStage names the pages among what is kept.
const scanStage = "page of a scan"

// contentOf names a document's pages by the digest of its file.
func contentOf(digest string) string { return "document " + digest }

// keeper keeps the pages of one document.
type keeper struct {
	*Scans
	digest string
}

func (k keeper) key(page int) store.Key {
	return store.Key{Content: contentOf(k.digest), Stage: scanStage, Params: strconv.Itoa(docs.Version) + "/" + strconv.Itoa(page), Model: k.ID}
}

// Page implements docs.PageKeeper.
func (k keeper) Page(ctx context.Context, page int) ([]audit.TextBox, bool, error) {
	raw, ok, err := k.Kept.StageResult(ctx, k.key(page))
	if err != nil || !ok {
		return nil, false, err
	}
	var boxes []audit.TextBox
	if json.Unmarshal(raw, &boxes) != nil {
		return nil, false, nil // an older program's: read again
	}
	return boxes, true, nil
}

// KeepPage implements docs.PageKeeper.
func (k keeper) KeepPage(ctx context.Context, page int, boxes []audit.TextBox) error {
	raw, err := json.Marshal(boxes)
	if err != nil {
		return fmt.Errorf("keep page %d: %w", page, err)
	}
	return k.Kept.SaveStage(ctx, k.key(page), raw)
}

// options are those of the reader for one document.
func (o Options) options(file, digest string) docs.Options {
	if o.Scans == nil {
		return docs.Options{}
	}
	out := docs.Options{Pictures: o.Scans.Reader}
	if o.Scans.Kept != nil {
		out.Kept = keeper{o.Scans, digest}
	}
	if o.OnPage != nil {
		out.OnPage = func(done, total int) { o.OnPage(file, done, total) }
	}
	return out
}

// forget drops the pages of a document that is in.
func (o Options) forget(ctx context.Context, digest string) error {
	if o.Scans == nil || o.Scans.Kept == nil {
		return nil
	}
	_, err := o.Scans.Kept.DropStages(ctx, contentOf(digest))
	return err
}
