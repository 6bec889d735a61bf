package report

// english has the words for what is stored as a code.
var english = map[string]string{
	"high": "High", "medium": "Medium", "low": "Low",
	"state accepted": "Accepted", "state dismissed": "Dismissed", "state open": "Open",
	"did accept": "accepted", "did dismiss": "dismissed", "did reopen": "opened again", "did comment": "remarked", "did severity": "set the severity to",
	"source speech": "Said from", "source screen": "On the screen from", "source description": "In the description, which holds from",
	"channel speech": "Said", "channel screen": "Shown", "channel description": "Description",
	"found by path": "It is the same file.", "found by address": "It is the same address.", "found by content": "It is the same content.", "found by chosen": "A person chose it.",
	"why paragraph": "another paragraph of the rule is cited now.", "why rule_text": "the paragraph's text was amended.", "why facts": "the facts are others, and so is why the rule applies.",
	"why graver": "it weighs more than it did.", "why video": "it is about the whole video, and that was changed.", "why joined": "findings that were decided differently are one now.",
	"why readings": "too many words differ from those that were decided on.", "why place": "the words stood in several places that were decided differently.",
	"role design": "Design", "role handbook": "Handbook", "role baseline": "Baseline",
	"aligned covered": "covered", "aligned partly": "in part", "aligned missing": "missing",
	"result finding": "potential issue", "result clear": "nothing found", "result not_applicable": "not applicable", "result not_checked": "not checked",

	"speaker: finra_member": "a FINRA member speaks", "speaker: registered_adviser": "a registered adviser speaks",
	"speaker: state_adviser": "a state-registered adviser speaks", "speaker: paid_endorser": "a paid endorser speaks",
	"speaker: unpaid_consumer": "an unpaid consumer speaks", "speaker: issuer": "an issuer speaks", "speaker: publisher": "a publisher speaks",
	"speaker: private_person": "a private person speaks", "speaker: employee": "an employee speaks",
	"paid: yes": "paid for it", "paid: no": "not paid for it",
	"options: yes": "options are discussed", "options: no": "no options",
	"audience: retail": "to retail investors", "audience: institutional": "to institutions",
	"sponsor: finra_member": "sponsored by a FINRA member", "sponsor: registered_adviser": "sponsored by a registered adviser",
	"sponsor: other_business": "sponsored by another business", "sponsor: none": "no sponsor",
	"? speaker": "who speaks", "? paid": "whether the speaker is paid", "? options": "whether options are discussed",
	"? audience": "to whom the video speaks", "? sponsor": "who sponsors it",
}
