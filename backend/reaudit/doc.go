// Package reaudit compares an audit with an earlier one of the same work: which
// findings are new, which were there before and what was decided of them, and
// which are gone.
//
// Words are compared by their order, never by their times, so that a cut, a new
// transcript or other segments move nothing. A decision is carried for its scope
// and no further: the same words, in the sense of [same], under the same rule.
// What differs only in how it was written down is the same; what differs in a
// number, a negation or a word with a meaning of its own is another claim.
//
// Everything here is a function of its arguments.
package reaudit
