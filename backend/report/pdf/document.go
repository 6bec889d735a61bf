package pdf

import (
	"bytes"
	"fmt"
	"image/jpeg"
	"strings"
	"time"
)

// Info describes a document.
type Info struct {
	Title    string
	Author   string
	Subject  string
	Language string // "en", "de"
	Producer string
	Created  time.Time
}

// Document is a PDF that is being written.
type Document struct {
	info        Info
	about       ref
	w           *writer
	set         *typesetter
	pages       []*Page
	page        *Page
	root        *element
	stack       []*element
	linkParents []*element
	places      map[string]place
	outline     []*bookmark
	attachments []Attachment
	images      map[string]ref
	sizes       map[string][2]int
	later       []deferred
	signer      *Signer
	sigField    ref
	sigValue    ref
}

// place is where a link leads to.
type place struct {
	page *Page
	y    float64
}

// bookmark is an entry of the list of contents beside the pages.
type bookmark struct {
	title string
	at    place
	kids  []*bookmark
}

// New begins a document.
func New(info Info) *Document {
	root := &element{tag: "Document"}
	d := &Document{
		info: info, w: newWriter(), set: &typesetter{}, root: root, stack: []*element{root},
		places: map[string]place{}, images: map[string]ref{}, sizes: map[string][2]int{},
	}
	// First in the file, so that even a piece of it tells who wrote it.
	when := date(info.Created)
	d.about = d.w.add(fmt.Sprintf("<< /Title %s /Author %s /Subject %s /Creator %s /Producer %s /CreationDate %s /ModDate %s >>",
		text(info.Title), text(info.Author), text(info.Subject), text(info.Producer), text(info.Producer), when, when))
	return d
}

// NewPage begins a page; drawing goes on there.
func (d *Document) NewPage() *Page {
	d.closeMark()
	d.page = &Page{doc: d, object: d.w.take(), index: len(d.pages), images: map[string]ref{}}
	d.pages = append(d.pages, d.page)
	return d.page
}

// Pages gives the pages so far, for what is drawn when their number is known.
func (d *Document) Pages() []*Page { return d.pages }

// Number gives a page's number, from 1.
func (p *Page) Number() int { return p.index + 1 }

// Place names a place on the current page for links; PageOf gives its page's
// number, 0 while it has none.
func (d *Document) Place(name string, y float64) { d.places[name] = place{d.page, y} }

// PageOf gives the number of the page on which a named place is.
func (d *Document) PageOf(name string) int {
	if p, ok := d.places[name]; ok {
		return p.page.index + 1
	}
	return 0
}

// Bookmark adds an entry to the list of contents; level 0 is the outermost.
func (d *Document) Bookmark(level int, title string, y float64) {
	list := &d.outline
	for ; level > 0 && len(*list) > 0; level-- {
		list = &(*list)[len(*list)-1].kids
	}
	*list = append(*list, &bookmark{title: d.Visible(title), at: place{d.page, y}})
}

// Head draws on a page what belongs to every page and to no text.
func (p *Page) Head(draw func()) {
	p.unmark()
	p.content.WriteString("/Artifact << /Type /Pagination >> BDC\n")
	p.head = true
	draw()
	p.head = false
	p.content.WriteString("EMC\n")
}

// Later draws in the current element and on the current page once everything
// else has its place: a page's number, say.
func (d *Document) Later(draw func(p *Page)) {
	d.later = append(d.later, deferred{d.page, d.current(), draw})
}

type deferred struct {
	page    *Page
	element *element
	draw    func(p *Page)
}

func (d *Document) drawDeferred() {
	for _, l := range d.later {
		d.closeMark()
		d.page = l.page
		d.stack = append(d.stack, l.element)
		l.draw(l.page)
		d.closeMark()
		d.stack = d.stack[:len(d.stack)-1]
	}
	d.later = nil
}

// AddJPEG keeps a picture under a name and gives its width and height.
func (d *Document) AddJPEG(id string, data []byte) (width, height int, err error) {
	if s, ok := d.sizes[id]; ok {
		return s[0], s[1], nil
	}
	c, err := jpeg.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return 0, 0, fmt.Errorf("read the picture %s: %w", id, err)
	}
	space := "/DeviceRGB"
	switch fmt.Sprintf("%T", c.ColorModel.Convert(anyColor{})) {
	case "color.Gray":
		space = "/DeviceGray"
	case "color.CMYK":
		return 0, 0, fmt.Errorf("the picture %s has printing colours", id)
	}
	d.images[id] = d.w.addStream(fmt.Sprintf("/Type /XObject /Subtype /Image /Width %d /Height %d /ColorSpace %s /BitsPerComponent 8 /Filter /DCTDecode",
		c.Width, c.Height, space), data, false)
	d.sizes[id] = [2]int{c.Width, c.Height}
	return c.Width, c.Height, nil
}

type anyColor struct{}

func (anyColor) RGBA() (r, g, b, a uint32) { return 0, 0, 0, 0xffff }

// Image draws a picture that was added.
func (p *Page) Image(id string, x, y, w, h float64) {
	r, ok := p.doc.images[id]
	if !ok {
		return
	}
	key := fmt.Sprintf("I%d", r)
	p.images[key] = r
	p.mark()
	fmt.Fprintf(&p.content, "q %s 0 0 %s %s %s cm /%s Do Q\n", num(w), num(h), num(x), num(p.flip(y+h)), key)
}

func (d *Document) needFont(f *fontUse) {
	if f.object == 0 {
		f.object = d.w.take()
	}
}

// fontResources names every face that the document used.
func (d *Document) fontResources() string {
	var b strings.Builder
	for _, f := range d.set.uses {
		if f != nil && f.object != 0 {
			fmt.Fprintf(&b, " /%s %s", f.name(), f.object)
		}
	}
	return b.String()
}

func (d *Document) writePages() (ref, error) {
	tree := d.w.take()
	fonts := d.w.add("<<" + d.fontResources() + " >>")
	var kids strings.Builder
	for _, p := range d.pages {
		kids.WriteString(" " + p.object.String())
		content := d.w.addStream("", []byte(p.content.String()), true)
		var images strings.Builder
		for _, id := range sortedKeys(p.images) {
			fmt.Fprintf(&images, " /%s %s", id, p.images[id])
		}
		var annots strings.Builder
		for _, l := range p.links {
			to, ok := d.places[l.target]
			if !ok {
				return 0, fmt.Errorf("a link leads to %q, which is nowhere", l.target)
			}
			a := d.w.add(fmt.Sprintf("<< /Type /Annot /Subtype /Link /Rect [%s %s %s %s] /Border [0 0 0] /F 4 /Contents %s /StructParent %d /Dest [%s /XYZ null %s null] >>",
				num(l.x), num(p.flip(l.y+l.h)), num(l.x+l.w), num(p.flip(l.y)), text(l.words), len(d.pages)+len(d.linkParents), to.page.object, num(p.flip(to.y))))
			l.element.kids = append(l.element.kids, linkRef{p.object, a})
			d.linkParents = append(d.linkParents, l.element)
			annots.WriteString(" " + a.String())
		}
		if p.index == 0 && d.hasSignature() {
			annots.WriteString(" " + d.signatureField(p).String())
		}
		extra := ""
		if annots.Len() > 0 {
			extra = fmt.Sprintf(" /Annots [%s ] /Tabs /S", annots.String())
		}
		d.w.put(p.object, fmt.Sprintf("<< /Type /Page /Parent %s /MediaBox [0 0 %s %s] /Resources << /Font %s /XObject << %s >> >> /Contents %s /StructParents %d%s >>",
			tree, num(PageWidth), num(PageHeight), fonts, images.String(), content, p.index, extra))
	}
	d.w.put(tree, fmt.Sprintf("<< /Type /Pages /Kids [%s ] /Count %d >>", kids.String(), len(d.pages)))
	return tree, nil
}

// writeOutline writes the bookmarks and gives their root.
func (d *Document) writeOutline() ref {
	root := d.w.take()
	first, last, count := d.writeBookmarks(d.outline, root)
	d.w.put(root, fmt.Sprintf("<< /Type /Outlines /First %s /Last %s /Count %d >>", first, last, count))
	return root
}

func (d *Document) writeBookmarks(list []*bookmark, parent ref) (first, last ref, count int) {
	refs := make([]ref, len(list))
	for i := range list {
		refs[i] = d.w.take()
	}
	for i, b := range list {
		var body strings.Builder
		fmt.Fprintf(&body, "<< /Title %s /Parent %s /Dest [%s /XYZ null %s null]", text(b.title), parent, b.at.page.object, num(PageHeight-b.at.y))
		if i > 0 {
			fmt.Fprintf(&body, " /Prev %s", refs[i-1])
		}
		if i < len(list)-1 {
			fmt.Fprintf(&body, " /Next %s", refs[i+1])
		}
		if len(b.kids) > 0 {
			f, l, n := d.writeBookmarks(b.kids, refs[i])
			fmt.Fprintf(&body, " /First %s /Last %s /Count %d", f, l, -n) // shown closed
		}
		body.WriteString(" >>")
		d.w.put(refs[i], body.String())
	}
	return refs[0], refs[len(refs)-1], len(list)
}
