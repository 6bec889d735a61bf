// Package audit is the domain of VeriStream: what a video, a segment, a
// citation, a rule, a fact, a category, a finding and a decision are, and the
// seams behind which the machines that work on them stand (speech recognition,
// text reading, embedding, reranking, the language model).
//
// It imports the standard library only, and every other package of the backend
// imports it and none of its siblings.
//
// # Times
//
// All times are whole milliseconds since the presentation time of the first
// video frame (or of the first audio sample where there is no picture). They
// are never computed from a frame number and a frame rate.
//
// # Citations
//
// A citation has one canonical spelling, in this grammar (EBNF):
//
//	citation   = cfr | finra | comment | house ;
//	cfr        = title " CFR " section { "(" marker ")" } [ " Example " number ]
//	           | title " CFR " part " Appendix " letters { "(" marker ")" } ;
//	section    = part "." number [ "(" number ")" "-" number ] ;  (* 275.206(4)-1 *)
//	finra      = "FINRA " rule [ "." digit digit ] { "(" marker ")" } ;
//	comment    = "Comment " section { "(" marker ")" } "-" number { "." marker } ;
//	house      = name " " number { "." number } ;
//
// Parsing accepts what people write ("Rule 206(4)-1(a)(1)", "section 255.5",
// "§ 1026.54(b)", "FINRA Rule 2210 (d)(1)(B)", "comment 54(a)(1)-2.i");
// printing gives the canonical form, and parsing that form gives the same
// citation back.
package audit
