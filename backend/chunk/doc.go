// Package chunk turns rule cards, paragraphs of official texts and sections of
// documents into passages: what is indexed, embedded, searched and shown to a
// model. Its functions are pure: the same input gives the same passages.
//
// A passage's text begins with a header that names its paragraphs, where they
// stand and what they are; the models were trained on this form:
//
//	[REGULATOR citation - title > heading | Type: rule]
package chunk
