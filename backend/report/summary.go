package report

import (
	"veristream/backend/audit"
	"veristream/backend/report/pdf"
)

// tally counts findings by what became of them.
type tally struct{ found, accepted, dismissed, open int }

func count(items []item, keep func(item) bool) (t tally) {
	for _, it := range items {
		if !keep(it) {
			continue
		}
		t.found++
		switch it.state {
		case stateAccepted:
			t.accepted++
		case stateDismissed:
			t.dismissed++
		default:
			t.open++
		}
	}
	return t
}

func place(it item) string { return "finding-" + itoa(it.number) }

func (f *flow) summary(in *Input, items []item) {
	all := count(items, func(item) bool { return true })
	title := f.count(all.found, "One potential issue", "%d potential issues")
	if all.found == 0 {
		title = f.t("No potential issue was found")
	}
	f.title(f.t("Summary"), "summary")
	f.y -= 5
	f.heading("H2", -1, title+", "+f.f("%d decided", all.accepted+all.dismissed), "", 13, 1.4)
	f.para(plain(f.f("%d accepted, %d dismissed with a reason, %d still open.", all.accepted, all.dismissed, all.open)))
	if s := in.Result.Since; s != nil {
		taken := count(items, func(it item) bool { return it.last != nil && it.last.Carried != nil }).found
		f.para(pdf.Span{Text: f.f("Since the audit of %s: %d new, %d carried, %d resolved.", f.date(s.At), len(s.New), len(s.Carried), len(s.Resolved)), Color: blue, Link: "since"},
			plain(" "+f.f("Findings whose decision was carried over from an earlier version: %d.", taken)))
	}
	for _, n := range in.Result.Notices {
		f.para(plain(n))
	}
	if all.found > 0 {
		f.strip(in, items)
		f.bySeverity(items)
		f.byRegulator(items)
	}
	f.besides(in) // before the list, which may end with the page
	if all.found > 0 {
		f.list(in, items)
	}
}

// strip shows where in the video the findings are.
func (f *flow) strip(in *Input, items []item) {
	end := in.Result.Video.DurationMS
	for _, it := range items {
		end = max(end, it.EndMS)
	}
	if end == 0 {
		return
	}
	f.room(60)
	f.gap(8)
	const h = 24.0
	f.page.Fill(left, f.y, width, h, soft)
	for _, it := range items {
		x := left + 6 + (width-12)*float64(it.StartMS)/float64(end)
		f.sign(it.severity, x, f.y+h/2, 4)
	}
	f.y += h
	from := f.doc.Wrap([]pdf.Span{plain(clock(0))}, 7.8, 100)
	to := f.doc.Wrap([]pdf.Span{plain(clock(end))}, 7.8, 100)
	f.doc.Tag("P", func() {
		f.page.Text(from[0], left, f.y+11, 7.8, 100)
		f.page.Text(to[0], left+width-to[0].Width, f.y+11, 7.8, to[0].Width)
	})
	f.y += 14
}

var tallyColumns = []column{{"", 0.36, false}, {"Found", 0.16, true}, {"Accepted", 0.16, true}, {"Dismissed", 0.16, true}, {"Open", 0.16, true}}

func tallyRow(first cell, t tally) []cell {
	return []cell{first, words(itoa(t.found)), words(itoa(t.accepted)), words(itoa(t.dismissed)), words(itoa(t.open))}
}

func (f *flow) bySeverity(items []item) {
	f.part(f.t("By severity"))
	var rows [][]cell
	for _, s := range []audit.Severity{audit.High, audit.Medium, audit.Low} {
		t := count(items, func(it item) bool { return it.severity == s })
		rows = append(rows, tallyRow(cell{spans: []pdf.Span{dark(f.t(string(s)))}, severity: s}, t))
	}
	cols := append([]column{}, tallyColumns...)
	cols[0].head = "Severity"
	f.table(cols, rows)
}

func (f *flow) byRegulator(items []item) {
	f.part(f.t("By rule"))
	var order []string
	seen := map[string]bool{}
	for _, it := range items {
		if !seen[it.Citation] {
			seen[it.Citation] = true
			order = append(order, it.Citation)
		}
	}
	var rows [][]cell
	for _, c := range order {
		rows = append(rows, tallyRow(words(c), count(items, func(it item) bool { return it.Citation == c })))
	}
	cols := append([]column{}, tallyColumns...)
	cols[0].head = "Rule"
	f.table(cols, rows)
}

func (f *flow) list(in *Input, items []item) {
	f.part(f.t("In the order of the video"))
	var rows [][]cell
	for _, it := range items {
		state := f.t(it.state)
		if it.state == stateOpen && it.Status == audit.NeedsReview {
			state += ", " + f.t("needs review")
		}
		rows = append(rows, []cell{
			words(clock(it.StartMS)),
			{spans: []pdf.Span{{Text: in.title(it.Category), Color: ink, Link: place(it)}}, severity: it.severity},
			words(it.Citation), words(state),
			{pageOf: place(it)},
		})
	}
	f.table([]column{{"Time", 0.12, false}, {"Finding", 0.36, false}, {"Rule", 0.26, false}, {"Decision", 0.18, true}, {"Page", 0.08, true}}, rows)
}

// besides counts what is no finding, with links to where it is listed.
func (f *flow) besides(in *Input) {
	f.part(f.t("Besides"))
	n := map[string]int{}
	for _, c := range in.Result.Checked {
		n[c.Result]++
	}
	link := func(s, to string) pdf.Span { return pdf.Span{Text: s, Color: blue, Link: to} }
	f.para(
		link(f.count(n[audit.ResultClear], "One category checked, and nothing found", "%d categories checked, and nothing found"), "checked"), plain("; "),
		link(f.count(n[audit.ResultNotChecked], "One category not checked", "%d categories not checked"), "checked"), plain("; "),
		link(f.count(len(in.Result.NotApplicable), "One paragraph not applicable", "%d paragraphs not applicable"), "notapplicable"), plain("; "),
		link(f.count(len(in.Result.Dropped), "One proposal dropped by the checks", "%d proposals dropped by the checks"), "dropped"), plain("."),
	)
	if a := in.Alignment; a != nil {
		f.para(link(f.count(len(a.Elements), "One element of a design laid beside controls and a handbook", "%d elements of a design laid beside controls and a handbook"), "alignment"), plain("."))
	}
}
