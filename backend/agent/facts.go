package agent

import (
	"regexp"

	"veristream/backend/audit"
)

// What the video itself may say about its speaker. Each is proposed, with its
// place, for a person to confirm: it never decides anything by itself.
var selfDescriptions = []struct {
	re          *regexp.Regexp
	fact, value string
}{
	{regexp.MustCompile(`\b(i am|we are|as) (an? |your )?(\w+ )?(sec[- ]registered|registered) (investment )?(adviser|advisor)s?\b`), "speaker", "registered_adviser"},
	{regexp.MustCompile(`\b(i am|we are|as) (an? |your |independent |certified )*(financial (adviser|advisor|planner)|wealth manager|fiduciary)s?\b`), "speaker", "registered_adviser"},
	{regexp.MustCompile(`\bmember (of )?finra\b|\bfinra member\b|\b(i am|we are) (an? )?(registered representative|broker|broker[- ]dealer|stockbroker)s?\b`), "speaker", "finra_member"},
	{regexp.MustCompile(`\b(i am|i'm) (the )?(ceo|cfo|founder|chief executive|chairman|president) of\b`), "speaker", "issuer"},
	{regexp.MustCompile(`\bi work (for|at)\b|\bi am an employee\b`), "speaker", "employee"},
	{regexp.MustCompile(`\b(sponsored by|paid partnership|paid promotion|(are|is|was) paying me|i (am|was|get|got) paid|affiliate link|brought to you by|my friends (at|over at)|use my (promo |referral )?code)\b|#ad\b|#sponsored\b`), "paid", "yes"},
	{regexp.MustCompile(`\b(today.?s|our|my|this (video|episode|week).?s) sponsor\b|\bfor sponsoring (this|today|the|my)\b|\b(video|episode|segment|portion|post|stream) is sponsored\b|\bpaid (ad|advertisement|endorsement|post|segment)\b`), "paid", "yes"},
	{regexp.MustCompile(`\baffiliate (code|partner|program)s?\b|\b(i|we) (may |might |can )?(earn|get|receive) (a |an )?(small |referral |affiliate )?commissions?\b|\buse (the )?(promo |referral |discount )?code \S+ (for|to get|at)\b|#(advertisement|paidpartner(ship)?|sponsored(post|video|content))\b`), "paid", "yes"},
	{regexp.MustCompile(`\b(nobody|no one) (is )?(paid|paying|pays) me\b|\bnot sponsored\b|\bi am not (being )?paid\b`), "paid", "no"},
	{regexp.MustCompile(`\b(institutional investors? only|for institutional (use|investors?)|not for (use with )?(the )?retail|qualified purchasers? only)\b`), "audience", "institutional"},
	{regexp.MustCompile(`\b(call|put|stock) options?\b|\bcovered calls?\b|\boptions? trad(e|ing)\b|\bcredit spreads?\b|\biron condors?\b`), "options", "yes"},
}

// reDenied stands before words that are denied: "this is not sponsored by".
var reDenied = regexp.MustCompile(`\b(not|never|no|nobody|without|\w+n't)( \w+){0,2} $`)

// proposeFacts finds the first place for each fact.
func proposeFacts(claims []Claim, segments []audit.Segment) []audit.ProposedFact {
	var out []audit.ProposedFact
	seen := map[string]bool{}
	for _, d := range selfDescriptions {
		for _, c := range claims {
			at := d.re.FindStringIndex(c.Norm)
			if at == nil || seen[d.fact+d.value] || d.fact == "paid" && d.value == "yes" && reDenied.MatchString(c.Norm[:at[0]]) {
				continue
			}
			seen[d.fact+d.value] = true
			seg, excerpt := c.Excerpt(segments, c.Norm[at[0]:at[1]])
			out = append(out, audit.ProposedFact{
				Fact: d.fact, Value: d.value, SegmentID: seg.ID, StartMS: c.StartMS, Excerpt: excerpt,
			})
			break
		}
	}
	return out
}

// ProposeFacts reads from what is said, shown and written about a video what it
// tells of its speaker. It needs no model: the window asks it before an audit.
func ProposeFacts(segments []audit.Segment) []audit.ProposedFact {
	return proposeFacts(Claims(segments), segments)
}
