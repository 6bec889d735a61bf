package agent

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"veristream/backend/audit"
)

// promises are words that deny a risk.
var promises = []*regexp.Regexp{
	regexp.MustCompile(`\b(no|zero|0|without( any)?|not any|never any|little|minimal|low|lower|less|reduced) (\w+ )?(risks?|downside|volatility|losses|loss|drawdowns?|recession)\b`),
	regexp.MustCompile(`\brisk[- ]?free\b|\briskless\b`),
	regexp.MustCompile(`\b(cannot|can not|will not|never|do not|does not|could not|no way to|impossible to|nobody|no one)( \w+){0,3} (lose|lost|loses|losing|fall|falls|drop|drops|decline|go down|goes down|default|fail)\b`),
	regexp.MustCompile(`\b(protect\w*|shield\w*|safe|insulat\w*|keeps? you out)( \w+){0,3} (loss|losses|crash|crashes|downturns?|volatility|market|drops?)\b`),
	regexp.MustCompile(`\b(do not|never) (worry|think|talk) about (the )?(risks?|loss|losses|downside)\b`),
	regexp.MustCompile(`\bwithout (losing|the risk|risking)\b`),
}

// What a disclosure on the screen needs to be read: 16 CFR 255.0(f) asks that it
// be hard to miss. Reading speed: three words a second after half a second to
// notice it; a line under 3% of the frame's height (22 px of 720) is small.
const (
	wordsPerSecond   = 3.0
	noticeMS         = 500
	leastShownMS     = 2000
	smallLine        = 0.03
	leastContrast    = 3.0 // WCAG 2.2, 1.4.11
	afterPraiseMS    = 4000
	lastPartOfVideo  = 0.80
	shortVideoMS     = 15_000
	noteSameChannel  = "The praise is spoken and the disclosure is only shown."
	noteOtherChannel = "The praise is shown and the disclosure is only spoken."
)

// connectionDisclosed looks for any words that tell of the tie, in any channel.
func connectionDisclosed(v *View, _ int) Outcome {
	all := allClaims(v)
	clear, vague := v.having("disclosure", all), v.having("vague", all)
	o := Outcome{At: -1, Looked: v.Promoting}
	switch {
	case len(clear) > 0:
		o.Cured, o.Looked = true, clear
		o.Evidence = v.looked("words that tell of the tie", "in speech, on screen and in the description", clear)
	case len(vague) > 0 && !onlyPraise(v, vague):
		// words that only hint at it are the other category's finding
		o.Cured, o.Looked = true, vague
		o.Evidence = v.looked("words that hint at the tie", "in speech, on screen and in the description", vague)
	default:
		o.Evidence = audit.Say("Looked through {0} spoken, shown or written sentences for words that tell of a tie to the seller: none were found.", strconv.Itoa(len(all)))
	}
	return o
}

// onlyPraise: "my friends at X" is part of the praise, not a disclosure. It
// counts as a vague one only where it stands on the screen, in the description
// or apart from the praise.
func onlyPraise(v *View, vague []int) bool {
	for _, i := range vague {
		c := v.Claims[i]
		if c.Source != audit.Speech || strings.Contains(c.Text, "#") {
			return false
		}
	}
	return true
}

// connectionClear looks at how a disclosure is made: in words that viewers
// understand, in the channel of the praise, before it, long and large enough,
// and in the video itself (16 CFR 255.0(f)).
func connectionClear(v *View, _ int) Outcome {
	all := allClaims(v)
	clear, vague := v.having("disclosure", all), v.having("vague", all)
	o := Outcome{At: -1}
	if len(clear) == 0 {
		if len(vague) == 0 || onlyPraise(v, vague) {
			o.Cured = true // nothing is disclosed: the other category's finding
			o.Evidence = audit.Say("There is no disclosure whose clearness could be looked at.")
			return o
		}
		o.At, o.Looked = vague[0], vague
		o.Evidence = v.looked("a disclosure in plain words", "in the video", nil).And(
			v.looked("a hint", "there", vague), audit.Say("It does not tell viewers what the tie is."))
		return o
	}
	best, fewest := -1, audit.Messages(nil)
	for _, i := range clear {
		problems := v.unclear(i)
		if best < 0 || len(problems) < len(fewest) {
			best, fewest = i, problems
		}
	}
	o.Looked = clear
	if len(fewest) == 0 {
		o.Cured = true
		o.Evidence = v.looked("a disclosure that is clear and conspicuous", "in the video", []int{best})
		return o
	}
	// several partial disclosures may together do it: in speech and on screen
	o.At = best
	o.Evidence = v.looked("a disclosure that is clear and conspicuous", "in the video", []int{best}).And(fewest)
	return o
}

// unclear lists what keeps one disclosure from being clear and conspicuous.
func (v *View) unclear(i int) audit.Messages {
	c := v.Claims[i]
	var out audit.Messages
	tell := func(key string, args ...string) { out = append(out, audit.Say(key, args...)...) }
	if c.Source == audit.Description {
		tell("It stands only in the description and not in the video.")
		tell("A viewer need not open it.")
		return out
	}
	if v.cues.In("behind_link", c.Norm) && !strings.Contains(c.Norm, "paid") {
		tell("It sends viewers somewhere else.")
	}
	first, spoken, shown := v.praise()
	if first >= 0 && c.StartMS > v.Claims[first].EndMS+afterPraiseMS && v.DurationMS > shortVideoMS {
		tell("It comes {0} s after the praise begins at {1}.", seconds(c.StartMS-v.Claims[first].StartMS), stamp(v.Claims[first].StartMS))
	}
	switch {
	case c.Source == audit.Screen:
		seg := v.Segments[c.Parts[0].Segment]
		words, need := len(strings.Fields(c.Text)), readingMS(c.Text)
		if shownMS := seg.EndMS - seg.StartMS; shownMS < need {
			tell("It is shown for {0} s; {1} words need about {2} s.", seconds(shownMS), strconv.Itoa(words), seconds(need))
		}
		if seg.Box != nil && seg.Box.LineHeight > 0 && seg.Box.LineHeight < smallLine {
			tell("Its letters take {0}% of the picture's height.", fmt.Sprintf("%.1f", seg.Box.LineHeight*100))
		}
		if seg.Contrast > 0 && seg.Contrast < leastContrast {
			tell("Its contrast is {0} to 1.", fmt.Sprintf("%.1f", seg.Contrast))
		}
		if spoken && !shown {
			tell(noteSameChannel)
		}
	case shown && !spoken:
		tell(noteOtherChannel)
	}
	return out
}

func seconds(ms int64) string { return fmt.Sprintf("%.1f", float64(ms)/1000) }

// praise gives the first claim that promotes, and in which channels it is done.
func (v *View) praise() (first int, spoken, shown bool) {
	first = -1
	for _, i := range v.Promoting {
		if first < 0 {
			first = i
		}
		spoken = spoken || v.Claims[i].Source == audit.Speech
		shown = shown || v.Claims[i].Source == audit.Screen
	}
	return first, spoken, shown
}

func allClaims(v *View) []int {
	out := make([]int, len(v.Claims))
	for i := range out {
		out[i] = i
	}
	return out
}

// testimonialDisclosures looks for the three things that 275.206(4)-1(b)(1)(i)
// asks for together with the praise.
func testimonialDisclosures(v *View, _ int) Outcome {
	near := v.everywhere()
	client, pay, conflict := v.having("client", near), v.having("disclosure", near), v.having("conflict", near)
	o := Outcome{At: -1, Looked: append(append(client, pay...), conflict...)}
	paid := v.Facts.Paid != "no"
	if paid && len(pay) == 0 {
		o.Missing = append(o.Missing, "compensation")
	}
	if len(client) == 0 {
		o.Missing = append(o.Missing, "client")
	}
	if paid && len(conflict) == 0 {
		// that pay makes a conflict many take as said with the pay: alone it is for a person to see
		o.Uncertain = len(o.Missing) == 0
		o.Missing = append(o.Missing, "conflict")
	}
	o.Cured = len(o.Missing) == 0
	o.Evidence = v.looked("whether the person is a client", "in the video", client).And(v.looked("whether the person is paid", "in the video", pay), v.looked("the conflict that this makes", "in the video", conflict))
	return o
}

func finraTestimonialDisclosures(v *View, _ int) Outcome {
	near := v.everywhere()
	rep, guar, paid := v.having("not_representative", near), v.having("no_guarantee", near), v.having("paid_testimonial", near)
	o := Outcome{At: -1, Looked: append(append(rep, guar...), paid...)}
	if len(rep) == 0 {
		o.Missing = append(o.Missing, "representative")
	}
	if len(guar) == 0 {
		o.Missing = append(o.Missing, "guarantee")
	}
	if len(paid) == 0 && v.Facts.Paid == "yes" {
		o.Missing = append(o.Missing, "paid")
	}
	o.Cured = len(o.Missing) == 0
	o.Evidence = v.looked("words that it may not be typical", "in the video", rep).And(v.looked("words that it guarantees nothing", "in the video", guar), v.looked("words that it is paid", "in the video", paid))
	return o
}

// readingMS is how long a text must be shown to be noticed and read.
func readingMS(text string) int64 {
	return max(leastShownMS, int64(float64(len(strings.Fields(text)))/wordsPerSecond*1000)+noticeMS)
}
