package pdf

import (
	"bytes"
	"errors"
	"fmt"
)

// Certified is the signature of a file, as it stands there.
type Certified struct {
	Object []byte // CMS
	Signed []byte // what it is over: the file without the object
	Name   string
	Reason string
	Date   string // D:YYYYMMDDHHmmSS...
}

// Signature gives the file's signature; nil for a draft. The signature must be
// a certification that allows no changes, over the whole file but its own
// place, and the file must hold nothing that acts.
func (f *File) Signature() (*Certified, error) {
	root := f.dict(f.trailer["Root"])
	form := f.dict(root["AcroForm"])
	fields := f.list(form["Fields"])
	if len(fields) == 0 && root["Perms"] == nil {
		return nil, f.inert(root, nil)
	}
	if len(fields) != 1 {
		return nil, fmt.Errorf("the file has %d form fields; a report has one, its signature", len(fields))
	}
	if err := f.inert(root, fields[0]); err != nil {
		return nil, err
	}
	field := f.dict(fields[0])
	if field["FT"] != Name("Sig") || !same(f.dict(root["Perms"])["DocMDP"], field["V"]) {
		return nil, errors.New("the signature does not certify the file")
	}
	value := f.dict(field["V"])
	if value["SubFilter"] != Name("ETSI.CAdES.detached") || value["Filter"] != Name("Adobe.PPKLite") {
		return nil, errors.New("the signature is not of the kind that a report has")
	}
	references := f.list(value["Reference"])
	if len(references) != 1 || f.dict(references[0])["TransformMethod"] != Name("DocMDP") || f.dict(f.dict(references[0])["TransformParams"])["P"] != 1 {
		return nil, errors.New("the signature allows later changes")
	}
	object, ok := value["Contents"].([]byte)
	if !ok {
		return nil, errors.New("the signature is empty")
	}
	signed, err := f.signedRange(f.list(value["ByteRange"]))
	if err != nil {
		return nil, err
	}
	return &Certified{Object: object, Signed: signed, Name: textOf(value["Name"]), Reason: textOf(value["Reason"]), Date: textOf(value["M"])}, nil
}

// signedRange checks that the range leaves out the signature's place and
// nothing else, and gives what is signed.
func (f *File) signedRange(r []any) ([]byte, error) {
	if len(r) != 4 {
		return nil, errors.New("the signed range is damaged")
	}
	var n [4]int
	for i := range r {
		v, ok := r[i].(int)
		if !ok || v < 0 || v > len(f.data) {
			return nil, errors.New("the signed range is damaged")
		}
		n[i] = v
	}
	if n[0] != 0 || n[2] < n[1]+2 || n[2]+n[3] != len(f.data) {
		return nil, errors.New("the signature does not cover the whole file")
	}
	hole := f.data[n[1]:n[2]]
	if !bytes.HasSuffix(f.data[:n[1]], []byte("/Contents ")) || hole[0] != '<' || hole[len(hole)-1] != '>' || bytes.ContainsAny(hole[1:len(hole)-1], "<>()[]/ \n") {
		return nil, errors.New("the signed range leaves out more than the signature")
	}
	signed := make([]byte, 0, len(f.data)-len(hole))
	return append(append(signed, f.data[:n[1]]...), f.data[n[2]:]...), nil
}

// catalogKeys are what a report's catalogue may hold.
var catalogKeys = map[Name]bool{
	"Type": true, "Pages": true, "Lang": true, "MarkInfo": true, "StructTreeRoot": true, "ViewerPreferences": true, "Outlines": true,
	"PageMode": true, "Names": true, "AF": true, "Metadata": true, "OutputIntents": true, "AcroForm": true, "Perms": true,
}

// inert refuses whatever acts, loads or changes the look: scripts, actions,
// layers, media, forms, and annotations that are neither links nor the
// signature.
func (f *File) inert(root Dict, field any) error {
	for key := range root {
		if !catalogKeys[key] {
			return fmt.Errorf("the file's catalogue holds /%s", key)
		}
	}
	for key := range f.dict(root["Names"]) {
		if key != "EmbeddedFiles" {
			return fmt.Errorf("the file's names hold /%s", key)
		}
	}
	for key := range f.dict(root["AcroForm"]) {
		if key != "Fields" && key != "SigFlags" {
			return fmt.Errorf("the file's form holds /%s", key)
		}
	}
	for i, o := range f.objects {
		d, ok := o.(Dict)
		if s, isStream := o.(*Stream); isStream {
			d, ok = s.Dict, true
			if d["F"] != nil {
				return fmt.Errorf("object %d lies outside of the file", i+1)
			}
		}
		if !ok {
			continue
		}
		for _, key := range []Name{"JS", "JavaScript", "AA", "OpenAction", "A", "OC", "XFA", "RichMediaContent"} {
			if d[key] != nil && !(key == "A" && d["Type"] == Name("StructElem")) {
				return fmt.Errorf("object %d holds /%s", i+1, key)
			}
		}
		if d["Type"] == Name("Annot") && d["Subtype"] != Name("Link") && !same(Ref(i+1), field) {
			return fmt.Errorf("object %d is an annotation that a report does not have", i+1)
		}
	}
	return nil
}
