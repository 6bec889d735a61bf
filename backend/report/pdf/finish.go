package pdf

import (
	"crypto/md5" //nolint:gosec // the format asks for it; the manifest holds SHA-256
	"encoding/hex"
	"fmt"
	"html"
	"maps"
	"slices"
	"strings"
	"time"
)

// Attachment is a file inside the document.
type Attachment struct {
	Name        string
	Type        string // a media type
	Description string
	Relation    string // Data, Source, Supplement (ISO 32000-2, 7.11.3)
	Content     []byte
}

// Attach puts a file into the document.
func (d *Document) Attach(a Attachment) { d.attachments = append(d.attachments, a) }

// Finish writes the document. Where signer is not nil it certifies the file.
func (d *Document) Finish(signer *Signer) ([]byte, error) {
	d.drawDeferred()
	d.closeMark()
	if signer != nil {
		d.signer = signer
		d.takeSignature()
	}
	catalog := d.w.take()
	pages, err := d.writePages()
	if err != nil {
		return nil, err
	}
	for _, f := range d.set.uses {
		if f != nil && f.object != 0 {
			if err := f.write(d.w); err != nil {
				return nil, err
			}
		}
	}
	if d.set.err != nil {
		return nil, d.set.err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "<< /Type /Catalog /Pages %s /Lang %s /MarkInfo << /Marked true >> /StructTreeRoot %s", pages, text(d.info.Language), d.writeTags())
	b.WriteString(" /ViewerPreferences << /DisplayDocTitle true >>")
	if len(d.outline) > 0 {
		fmt.Fprintf(&b, " /Outlines %s /PageMode /UseOutlines", d.writeOutline())
	}
	b.WriteString(d.writeAttachments())
	metadata := d.w.addStream("/Type /Metadata /Subtype /XML", d.xmp(), false)
	profile := d.w.addStream("/N 3", sRGB(), true)
	fmt.Fprintf(&b, " /Metadata %s /OutputIntents [<< /Type /OutputIntent /S /GTS_PDFA1 /OutputConditionIdentifier (sRGB) /Info (sRGB IEC61966-2.1) /DestOutputProfile %s >>]", metadata, profile)
	b.WriteString(d.signatureCatalog())
	b.WriteString(" >>")
	d.w.put(catalog, b.String())
	out := d.w.finish(catalog, d.about)
	if signer == nil {
		return out, nil
	}
	return d.sign(out)
}

func (d *Document) writeAttachments() string {
	if len(d.attachments) == 0 {
		return ""
	}
	list := slices.Clone(d.attachments)
	slices.SortFunc(list, func(a, b Attachment) int { return strings.Compare(a.Name, b.Name) }) // a name tree is sorted
	var names, files strings.Builder
	for _, a := range list {
		sum := md5.Sum(a.Content) //nolint:gosec // see above
		when := date(d.info.Created)
		stream := d.w.addStream(fmt.Sprintf("/Type /EmbeddedFile /Subtype %s /Params << /Size %d /CheckSum <%s> /CreationDate %s /ModDate %s >>",
			name(a.Type), len(a.Content), hex.EncodeToString(sum[:]), when, when), a.Content, !strings.HasPrefix(a.Type, "image/"))
		spec := d.w.add(fmt.Sprintf("<< /Type /Filespec /F %s /UF %s /Desc %s /AFRelationship %s /EF << /F %s /UF %s >> >>",
			text(a.Name), text(a.Name), text(a.Description), name(a.Relation), stream, stream))
		fmt.Fprintf(&names, " %s %s", text(a.Name), spec)
		files.WriteString(" " + spec.String())
	}
	return fmt.Sprintf(" /Names << /EmbeddedFiles << /Names [%s ] >> >> /AF [%s ]", names.String(), files.String())
}

// xmp writes the metadata that PDF/A asks for.
func (d *Document) xmp() []byte {
	esc := html.EscapeString
	when := d.info.Created.UTC().Format(time.RFC3339)
	return []byte(fmt.Sprintf(`<?xpacket begin="%s" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/"><pdfaid:part>3</pdfaid:part><pdfaid:conformance>%s</pdfaid:conformance></rdf:Description>
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:format>application/pdf</dc:format><dc:title><rdf:Alt><rdf:li xml:lang="x-default">%s</rdf:li></rdf:Alt></dc:title><dc:creator><rdf:Seq><rdf:li>%s</rdf:li></rdf:Seq></dc:creator><dc:description><rdf:Alt><rdf:li xml:lang="x-default">%s</rdf:li></rdf:Alt></dc:description></rdf:Description>
<rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/"><xmp:CreateDate>%s</xmp:CreateDate><xmp:ModifyDate>%s</xmp:ModifyDate><xmp:CreatorTool>%s</xmp:CreatorTool></rdf:Description>
<rdf:Description rdf:about="" xmlns:pdf="http://ns.adobe.com/pdf/1.3/"><pdf:Producer>%s</pdf:Producer></rdf:Description>
</rdf:RDF></x:xmpmeta>
<?xpacket end="r"?>`, "\ufeff", conformance, esc(d.info.Title), esc(d.info.Author), esc(d.info.Subject), when, when, esc(d.info.Producer), esc(d.info.Producer)))
}

// conformance is the level of PDF/A-3 that is claimed.
const conformance = "A"

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
