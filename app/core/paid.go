package core

import (
	"fmt"
	"regexp"

	"veristream/backend/audit"
	"veristream/backend/media"
)

var (
	// rePaidChapter is how parts of videos are called that somebody paid for.
	rePaidChapter = regexp.MustCompile(`(?i)\bsponsor(ed|s|ship)?\b|\bpaid (promotion|partnership|segment|ad)\b|^\W*(ads?|advert(isement)?|promo)( (break|read|segment|spot))?\s*($|[:|–-])|\b(ad|promo) (break|read|segment)\b|\b(word|message) from (our|my|the) (sponsor|partner)`)
	rePaidTag     = regexp.MustCompile(`(?i)^#?(ad|ads|advert(isement)?|sponsor(ed)?|sponsored ?(video|content|post)|paid ?(promotion|partner(ship)?|ad)|affiliate)$`)
	// reUnpaid is that nobody did.
	reUnpaid = regexp.MustCompile(`(?i)\b(not?|never|without|isn.?t|zero)\b[^.]{0,20}\b(sponsor|paid|ads?\b)|\b(find|become|seek)\w*\b[^.]{0,12}\bsponsor`)
)

// paidHint proposes that a video is paid for where its page says so: by a mark
// of the site, the name of a chapter, or a tag. Each is somebody's word, so a
// person confirms it; a page that says nothing proves nothing. What its
// description says in words is read with all other text (agent.ProposeFacts).
func paidHint(r media.Remote) (audit.ProposedFact, bool) {
	p := audit.ProposedFact{Fact: "paid", Value: "yes"}
	if r.Paid {
		p.Excerpt = "marked as paid promotion"
		return p, true
	}
	for _, c := range r.Chapters {
		if rePaidChapter.MatchString(c.Title) && !reUnpaid.MatchString(c.Title) {
			p.StartMS = c.StartMS
			p.Excerpt = fmt.Sprintf("the chapter at %d:%02d is called %q", c.StartMS/60_000, c.StartMS/1000%60, c.Title)
			return p, true
		}
	}
	for _, tag := range r.Tags {
		if rePaidTag.MatchString(tag) {
			p.Excerpt = fmt.Sprintf("tagged %q", tag)
			return p, true
		}
	}
	return p, false
}
