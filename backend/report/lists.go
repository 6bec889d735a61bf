package report

import (
	"slices"
	"strings"

	"veristream/backend/audit"
)

// checked says what became of every category.
func (f *flow) checked(in *Input) {
	f.title(f.t("Checked and not checked"), "checked")
	f.para(plain(f.t("A category in which nothing was found is not thereby in order: it means only that nothing was found.")))
	f.gap(4)
	order := []string{audit.ResultFinding, audit.ResultClear, audit.ResultNotChecked, audit.ResultNotApplicable}
	list := slices.Clone(in.Result.Checked)
	slices.SortStableFunc(list, func(a, b audit.Checked) int {
		return slices.Index(order, a.Result) - slices.Index(order, b.Result)
	})
	var rows [][]cell
	for _, c := range list {
		rows = append(rows, []cell{words(in.title(c.Category)), words(f.t("result " + c.Result)), words(c.Note)})
	}
	if len(rows) == 0 {
		f.para(plain(f.t("The audit lists none.")))
		return
	}
	f.table([]column{{"Category", 0.42, false}, {"Result", 0.2, false}, {"Note", 0.38, false}}, rows)
}

func (f *flow) notApplicable(in *Input) {
	f.follow(f.t("Not applicable"), "notapplicable")
	f.para(plain(f.t("These paragraphs cannot bind this speaker, going by the facts that a person gave. If a fact is wrong, so may this list be.")))
	f.gap(4)
	var rows [][]cell
	for _, n := range in.Result.NotApplicable {
		rows = append(rows, []cell{words(strings.TrimSpace(n.Citation)), words(n.Regulator), words(n.Reason)})
	}
	if len(rows) == 0 {
		f.para(plain(f.t("The audit lists none.")))
		return
	}
	f.table([]column{{"Paragraph", 0.3, false}, {"Regulator", 0.12, false}, {"Reason", 0.58, false}}, rows)
}

func (f *flow) dropped(in *Input) {
	f.follow(f.t("Dropped by the checks"), "dropped")
	f.para(plain(f.t("What the program proposed and then threw out itself: words that are not in the video, a citation that was not found, a time outside of it.")))
	f.gap(4)
	var rows [][]cell
	for _, d := range in.Result.Dropped {
		what := d.Excerpt
		if d.Category != "" {
			what = in.title(d.Category) + ": " + what
		}
		rows = append(rows, []cell{words(clock(d.StartMS)), words(what), words(d.Citation), words(d.Reason)})
	}
	if len(rows) == 0 {
		f.para(plain(f.t("The audit lists none.")))
		return
	}
	f.table([]column{{"Time", 0.11, false}, {"Proposal", 0.36, false}, {"Rule", 0.2, false}, {"Reason", 0.33, false}}, rows)
}

// transcript prints every segment; what was left out of the audit says so.
func (f *flow) transcript(in *Input) {
	f.title(f.t("Transcript"), "transcript")
	f.para(plain(f.t("What was said and shown, as it was audited. Lines in brackets were not trusted and took no part in the audit.")))
	if note := f.originalNote(in.Result.Video.Language); note != "" {
		f.para(plain(f.t("Words") + note + "."))
	}
	f.gap(4)
	lines := f.transcriptLines(in)
	for _, source := range []audit.Source{audit.Speech, audit.Screen, audit.Description} {
		var rows [][]cell
		for _, line := range lines {
			if line.Source == source {
				rows = append(rows, []cell{words(clock(line.StartMS)), words(clock(line.EndMS)), correctedCell(line)})
			}
		}
		if len(rows) == 0 {
			continue
		}
		f.part(f.t("channel " + string(source)))
		f.table([]column{{"From", 0.11, false}, {"To", 0.11, false}, {"Words", 0.78, false}}, rows)
	}
}
