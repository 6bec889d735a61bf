package pdf

import (
	"fmt"
	"strings"
)

// element is a node of the structure tree: what a screen reader walks.
type element struct {
	tag    string
	object ref
	parent *element
	kids   []any // *element, markedRef or linkRef
	alt    string
	attrs  string
}

// markedRef is a stretch of a page's content.
type markedRef struct {
	page *Page
	id   int
}

// linkRef is a link on a page.
type linkRef struct{ page, annotation ref }

// Tag draws inside an element of the structure: H1, P, Table, TR, TH, TD, L,
// Figure and so on (ISO 32000-2, 14.8.4).
func (d *Document) Tag(tag string, draw func()) { d.tag(&element{tag: tag}, draw) }

// Figure draws a picture's element with words for those who do not see it.
func (d *Document) Figure(alt string, draw func()) { d.tag(&element{tag: "Figure", alt: alt}, draw) }

// HeaderCell draws a cell that heads a column.
func (d *Document) HeaderCell(draw func()) {
	d.tag(&element{tag: "TH", attrs: "/A << /O /Table /Scope /Column >>"}, draw)
}

func (d *Document) tag(e *element, draw func()) {
	e.parent = d.current()
	e.parent.kids = append(e.parent.kids, e)
	d.closeMark()
	d.stack = append(d.stack, e)
	draw()
	d.closeMark()
	d.stack = d.stack[:len(d.stack)-1]
}

func (d *Document) current() *element { return d.stack[len(d.stack)-1] }

func (d *Document) closeMark() {
	if d.page != nil {
		d.page.unmark()
	}
}

// mark opens a stretch of content that belongs to the current element.
func (p *Page) mark() {
	if p.open || p.head {
		return
	}
	e := p.doc.current()
	fmt.Fprintf(&p.content, "/%s << /MCID %d >> BDC\n", e.tag, len(p.parents))
	e.kids = append(e.kids, markedRef{p, len(p.parents)})
	p.parents = append(p.parents, e)
	p.open = true
}

func (p *Page) unmark() {
	if p.open {
		p.content.WriteString("EMC\n")
		p.open = false
	}
}

// artifact draws what is no content: rules, grounds, heads and feet of pages.
func (p *Page) artifact(draw func()) {
	if p.head { // already inside of one
		p.content.WriteString("q\n")
		draw()
		p.content.WriteString("Q\n")
		return
	}
	p.unmark()
	p.content.WriteString("/Artifact BMC\nq\n")
	draw()
	p.content.WriteString("Q\nEMC\n")
}

// writeTags writes the tree and gives its root.
func (d *Document) writeTags() ref {
	root := d.w.take()
	d.root.object = d.w.take()
	d.take(d.root)
	d.put(d.root, root)
	var nums strings.Builder
	for i, p := range d.pages {
		var refs strings.Builder
		for _, e := range p.parents {
			refs.WriteString(" " + e.object.String())
		}
		fmt.Fprintf(&nums, " %d [%s ]", i, refs.String())
	}
	for i, l := range d.linkParents {
		fmt.Fprintf(&nums, " %d %s", len(d.pages)+i, l.object)
	}
	tree := d.w.add("<< /Nums [" + nums.String() + " ] >>")
	d.w.put(root, fmt.Sprintf("<< /Type /StructTreeRoot /K %s /ParentTree %s /ParentTreeNextKey %d >>",
		d.root.object, tree, len(d.pages)+len(d.linkParents)))
	return root
}

func (d *Document) take(e *element) {
	for _, k := range e.kids {
		if c, ok := k.(*element); ok {
			if c.object == 0 {
				c.object = d.w.take()
			}
			d.take(c)
		}
	}
}

func (d *Document) put(e *element, parent ref) {
	var kids strings.Builder
	for _, k := range e.kids {
		switch k := k.(type) {
		case *element:
			kids.WriteString(" " + k.object.String())
		case markedRef:
			fmt.Fprintf(&kids, " << /Type /MCR /Pg %s /MCID %d >>", k.page.object, k.id)
		case linkRef:
			fmt.Fprintf(&kids, " << /Type /OBJR /Pg %s /Obj %s >>", k.page, k.annotation)
		}
	}
	extra := e.attrs
	if e.alt != "" {
		extra += " /Alt " + text(e.alt)
	}
	d.w.put(e.object, fmt.Sprintf("<< /Type /StructElem /S /%s /P %s /K [%s ] %s >>", e.tag, parent, kids.String(), extra))
	for _, k := range e.kids {
		if c, ok := k.(*element); ok {
			d.put(c, e.object)
		}
	}
}
