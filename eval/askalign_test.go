package eval

import (
	"slices"
	"testing"

	"veristream/backend/align"
	"veristream/backend/audit"
)

func TestAlignTasks(t *testing.T) {
	tasks, err := AlignTasks()
	if err != nil || len(tasks) != 10 {
		t.Fatalf("%d tasks, %v", len(tasks), err)
	}
	design, err := alignFiles.ReadFile("ask/alignment/design.md")
	if err != nil {
		t.Fatal(err)
	}
	elements := align.Elements([]audit.Passage{{Title: "Design > Components", Body: string(design)}})
	for i, task := range tasks {
		if !slices.ContainsFunc(elements, func(e align.Element) bool { return e.Name == task.Element }) || len(task.Controls) == 0 {
			t.Errorf("the design has no element %q, or the task no control", task.Element)
		}
		if want := []Half{Tune, Test}[i%2]; task.Half != want {
			t.Errorf("task %d is of the half %s", i+1, task.Half)
		}
	}
}

func TestScoreAlign(t *testing.T) {
	book, base := []audit.Passage{{Body: "Doors are shut at night."}}, []audit.Passage{{Body: "Shut all doors."}}
	links := []align.Link{
		{Element: "Gate", Control: "XX-9", State: align.Missing, Requires: "Shut all doors."},
		{Element: "Gate", Control: "XX-1", State: align.Partly, Requires: "Shut all doors.", Quote: "Doors are open."},
		{Element: "Roof", Control: "XX-2", State: align.Covered, Requires: "Shut all doors.", Quote: "Doors are shut"},
	}
	got := scoreAlign(AlignTask{Element: "Gate", Controls: []string{"XX-1"}, Covered: true}, links, book, base)
	if got.Right != "XX-1" || !got.Judged || got.Quotes != 3 || got.Verbatim != 2 || !slices.Equal(got.Told, []string{"XX-9 missing", "XX-1 partly"}) {
		t.Errorf("got %+v", got)
	}
	if got = scoreAlign(AlignTask{Element: "Gate", Controls: []string{"XX-1"}}, links, book, base); got.Judged {
		t.Error("what the handbook speaks of counts as missing")
	}
	if got = scoreAlign(AlignTask{Element: "Gate", Controls: []string{"XX-2"}, Covered: true}, links, book, base); got.Right != "" || got.Judged {
		t.Errorf("a control of another element counts: %+v", got)
	}
}
