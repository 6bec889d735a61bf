package docstore

import (
	"regexp"
	"slices"
	"strings"

	"veristream/backend/audit"
)

// Chip is a filter that was read from a question, for a person to see and take
// away.
type Chip struct {
	Key   string `json:"key"`
	Value string `json:"value"`
	From  string `json:"from"` // the words of the question
}

var (
	reAnnual  = regexp.MustCompile(`(?i)\b(?:form )?10-?k\b|\bannual report\b`)
	reFiscal  = regexp.MustCompile(`(?i)\b(?:fiscal |fy ?|year )?((?:19|20)\d{2})\b`)
	reControl = regexp.MustCompile(`\b([A-Z]{2}(?:\.[A-Z]{2})?-\d{1,2}(?:\(\d{1,2}\))?)`)
	reItemNo  = regexp.MustCompile(`(?i)\bitem (\d{1,2}[A-C]?)\b`)
	reTier    = regexp.MustCompile(`(?i)\b(low|moderate|medium|high)[- ](?:risk|impact)\b`)
	// What companies' names end with; people leave it out.
	reSuffix = regexp.MustCompile(`(?i)[,.]?\s+(?:inc|corp|corporation|company|co|ltd|llc|plc|group|holdings|pharmaceutical|pharmaceuticals|incorporated|fund)\b\.?`)
)

// Filter reads from a question in which documents its answer must stand: a
// company whose report is there, its year, a control, a catalog by its name.
// Only what is there narrows: a filter never empties a search by itself.
func Filter(question string, have []audit.Document) (audit.Filter, []Chip) {
	var f audit.Filter
	var chips []Chip
	lower := strings.ToLower(question)
	matched := documentsOf(question, lower, have, &chips)
	if m := reControl.FindStringSubmatch(question); m != nil && hasControls(have) {
		f.Meta = map[string][]string{audit.MetaControlID: {m[1]}}
		chips = append(chips, Chip{audit.MetaControlID, m[1], m[1]})
		if len(matched) == 0 {
			f.Corpora = []string{audit.CorpusDocuments}
		}
	}
	if len(matched) == 0 {
		return f, chips
	}
	f.Corpora = []string{audit.CorpusDocuments}
	for _, d := range matched {
		f.Sources = append(f.Sources, d.ID)
	}
	if m := reItemNo.FindStringSubmatch(question); m != nil && slices.ContainsFunc(matched, func(d audit.Document) bool { return d.Type == "10-K" }) {
		if f.Meta == nil {
			f.Meta = map[string][]string{}
		}
		f.Meta["item"] = []string{"Item " + strings.ToUpper(m[1])}
		chips = append(chips, Chip{"item", "Item " + strings.ToUpper(m[1]), m[0]})
	}
	if m := reTier.FindStringSubmatch(question); m != nil {
		chips = append(chips, Chip{audit.MetaRiskTier, strings.ToLower(m[1]), m[0]})
	}
	return f, chips
}

func hasControls(have []audit.Document) bool {
	return slices.ContainsFunc(have, func(d audit.Document) bool { return d.Type == "catalog" || d.Type == "controls" })
}

// documentsOf gives the documents that a question names by company, by kind or
// by title; of a company's reports, those of the year that it names.
func documentsOf(question, lower string, have []audit.Document, chips *[]Chip) []audit.Document {
	var out []audit.Document
	for _, d := range have {
		for _, name := range namesOf(d) {
			if len(name) > 2 && containsWord(lower, strings.ToLower(name)) {
				out = append(out, d)
				chip := Chip{audit.MetaDocument, d.Title, name}
				if !slices.ContainsFunc(*chips, func(c Chip) bool { return c.Value == chip.Value }) {
					*chips = append(*chips, chip)
				}
				break
			}
		}
	}
	if len(out) == 0 && reAnnual.MatchString(question) {
		for _, d := range have {
			if d.Type == "10-K" {
				out = append(out, d)
			}
		}
		if len(out) > 0 {
			*chips = append(*chips, Chip{audit.MetaDocType, "10-K", reAnnual.FindString(question)})
		}
	}
	m := reFiscal.FindStringSubmatch(question)
	if m == nil || len(out) < 2 {
		return out
	}
	var year []audit.Document
	for _, d := range out {
		if d.Meta[audit.MetaYear] == m[1] {
			year = append(year, d)
		}
	}
	if len(year) == 0 {
		return out // a report also tells of the years before
	}
	*chips = append(*chips, Chip{audit.MetaYear, m[1], m[0]})
	return year
}

// namesOf are the ways in which people name a document.
func namesOf(d audit.Document) []string {
	names := []string{d.ID, d.Title}
	if c := d.Meta[audit.MetaCompany]; c != "" {
		names = append(names, c)
		short := c
		for reSuffix.MatchString(short) {
			short = strings.TrimSpace(reSuffix.ReplaceAllString(short, ""))
		}
		names = append(names, short)
		if w := strings.Fields(short); len(w) > 2 { // "Commonwealth Income & Growth Fund V"
			names = append(names, strings.Join(w[:2], " "), w[0])
		}
	}
	if t := d.Meta["ticker"]; t != "" {
		names = append(names, t)
	}
	upper := strings.ToUpper(d.ID + " " + d.Title)
	for mark, name := range map[string]string{"800-53": "800-53", "CSF": "CSF", "GLBA": "GLBA"} {
		if strings.Contains(upper, mark) {
			names = append(names, name)
		}
	}
	if strings.Contains(upper, "GLBA") {
		names = append(names, "Gramm-Leach-Bliley")
	}
	if strings.Contains(upper, "CSF") {
		names = append(names, "Cybersecurity Framework")
	}
	return names
}

func containsWord(text, word string) bool {
	for at := 0; ; {
		i := strings.Index(text[at:], word)
		if i < 0 {
			return false
		}
		i += at
		end := i + len(word)
		if (i == 0 || !letter(text[i-1])) && (end == len(text) || !letter(text[end])) {
			return true
		}
		at = end
	}
}

func letter(c byte) bool { return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' }
