package cli

import (
	"fmt"
	"io"
	"strings"

	"veristream/backend/audit"
)

// sinceLine says in one line what changed since the earlier audit.
func sinceLine(s *audit.Since) string {
	reworded, dismissed, accepted := 0, 0, 0
	for _, n := range s.New {
		if n.Was != nil {
			reworded++
		}
	}
	for _, c := range s.Carried {
		switch {
		case !c.Taken:
		case c.Was[0].Stand == audit.StandDismissed:
			dismissed++
		case c.Was[0].Stand == audit.StandAccepted:
			accepted++
		}
	}
	fresh := fmt.Sprintf("%d new", len(s.New))
	if reworded > 0 {
		fresh += fmt.Sprintf(" (%d on changed words)", reworded)
	}
	carried := fmt.Sprintf("%d carried", len(s.Carried))
	var stands []string
	for _, n := range []struct {
		count int
		name  string
	}{{dismissed, "dismissed"}, {accepted, "accepted"}} {
		if n.count > 0 {
			stands = append(stands, fmt.Sprintf("%d %s before", n.count, n.name))
		}
	}
	if len(stands) > 0 {
		carried += " (" + strings.Join(stands, ", ") + ")"
	}
	return fmt.Sprintf("Since the audit of %s (%s): %s, %s, %d resolved.", s.At.Local().Format("2 January 2006"), s.AuditID, fresh, carried, len(s.Resolved))
}

// sinceFinding says what the earlier audit had of a finding. A decision that was
// carried over is never silent, and neither is one that was not.
func sinceFinding(s *audit.Since, id string) []string {
	if s == nil {
		return nil
	}
	for _, n := range s.New {
		if n.FindingID == id && n.Was != nil {
			text := "Changed since: it was “" + n.Was.Excerpt + "”"
			if n.Was.Excerpt == "" {
				text = "Changed since: no words were named" // something was missing
			}
			if s := stood(*n.Was); s != "" {
				text += s + ". That does not hold for other words."
			}
			return wrap(text, 92)
		}
		if n.FindingID == id {
			return []string{"New since the earlier audit."}
		}
	}
	for _, c := range s.Carried {
		if c.FindingID != id {
			continue
		}
		switch {
		case c.Taken && c.Was[0].Stand != audit.StandOpen:
			text := "Carried: " + strings.TrimPrefix(stood(c.Was[0]), ", ") + ". The same words stand under the same rule."
			if c.Near {
				text += " Words beside them were changed."
			}
			return wrap(text, 92)
		case c.Why != "":
			return wrap("Carried, and open: it was"+strings.TrimPrefix(stood(c.Was[0]), ",")+". Not taken over: "+whyNot[c.Why]+".", 92)
		}
		return []string{"Carried from the earlier audit, open there."}
	}
	return nil
}

// stood says who had decided what of an earlier finding.
func stood(e audit.EarlierFinding) string {
	if e.Stand == audit.StandOpen || e.At == nil {
		return ""
	}
	text := fmt.Sprintf(", %s by %s on %s", e.Stand, e.By, e.At.Local().Format("2 January 2006"))
	if e.Reason != "" {
		text += " (“" + strings.TrimRight(e.Reason, ".") + "”)"
	}
	return text
}

var whyNot = map[audit.WhyNot]string{
	audit.WhyParagraph: "another paragraph of the rule is cited now",
	audit.WhyRuleText:  "the text of the paragraph was amended",
	audit.WhyFacts:     "the facts are others, and so is the reason why the rule applies",
	audit.WhyGraver:    "it weighs more than it did",
	audit.WhyVideo:     "it is about the whole video, and that was changed",
	audit.WhyJoined:    "findings that were decided differently are one now",
	audit.WhyReadings:  "too many words differ from those that were decided on",
	audit.WhyPlace:     "the words stand in several places that were decided differently",
}

func printResolved(w io.Writer, s *audit.Since) {
	if len(s.Resolved) == 0 {
		return
	}
	fmt.Fprintln(w, "Resolved since the earlier audit (there then, not found now):")
	for _, e := range s.Resolved {
		fmt.Fprintf(w, "  %-6s  %s  %s  %s%s\n", strings.ToUpper(string(e.Severity)), stamp(e.StartMS), e.Citation, category(e.Category), stood(e))
		if e.Excerpt != "" {
			fmt.Fprintf(w, "          “%s”\n", e.Excerpt)
		}
	}
	fmt.Fprintln(w)
}
