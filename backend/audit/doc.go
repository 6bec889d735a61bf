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
//	cfr        = title " CFR " section { "(" marker ")" } [ example | term ]
//	           | title " CFR " part " Appendix " form { "(" marker ")" } ;
//	section    = part "." number                        (* 255.5, 1026.54 *)
//	           | part "." number { "(" marker ")" } "-" number ;  (* 275.206(4)-1 *)
//	form       = letter [ number ] [ "-" number [ letter ] ] ;    (* M1, G-25 *)
//	example    = " Example " number ;
//	term       = ' "' word { " " word } '"' ;           (* a definition without a marker *)
//	finra      = "FINRA " rule [ "." digit digit ] { "(" marker ")" } ;
//	comment    = "Comment " section { "(" marker ")" } "-" number { "." marker }
//	           | "Comment " part " Appendix " letters "-" number { "." marker }
//	           | "Comment " part "-" number { "." marker } ;  (* the introduction *)
//	house      = name " " number { "." number } { "(" marker ")" } ;
//	marker     = number | letter | doubled letter | roman numeral ;
//
// A list adds members to a citation and a range those between two of them:
// "255.5(a)-(c)", "206(4)-1(a)(1) and (2)", "comments 54(a)(1)-1 through -3".
//
// Parsing accepts what people write ("Rule 206(4)-1(a)(1)", "section 255.5",
// "§ 1026.54(b)", "FINRA Rule 2210 (d)(1)(B)", "comment 54(a)(1)-2.i");
// printing gives the canonical form, and parsing that form gives the same
// citation back.
package audit
