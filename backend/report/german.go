package report

// german has the report's words in German; English, or the code that is
// stored, is the key.
var german = map[string]string{
	// What is stored as a code.
	"high": "Hoch", "medium": "Mittel", "low": "Gering",
	"open": "offen", "accepted": "angenommen", "dismissed": "verworfen",
	"state accepted": "Angenommen", "state dismissed": "Verworfen", "state open": "Offen",
	"did accept": "angenommen", "did dismiss": "verworfen", "did reopen": "wieder geöffnet", "did comment": "angemerkt", "did severity": "Schwere gesetzt auf",
	"source speech": "Gesagt von", "source screen": "Auf dem Bild von", "source description": "In der Beschreibung; sie gilt von",
	"channel speech": "Gesagt", "channel screen": "Gezeigt", "channel description": "Beschreibung",
	"result finding": "mögliches Problem", "result clear": "nichts gefunden", "result not_applicable": "nicht anwendbar", "result not_checked": "nicht geprüft",
	"speaker: finra_member": "es spricht ein FINRA-Mitglied", "speaker: registered_adviser": "es spricht ein registrierter Berater",
	"speaker: state_adviser": "es spricht ein bei einem Staat registrierter Berater", "speaker: paid_endorser": "es spricht ein bezahlter Fürsprecher",
	"speaker: unpaid_consumer": "es spricht ein unbezahlter Kunde", "speaker: issuer": "es spricht ein Emittent", "speaker: publisher": "es spricht ein Verlag",
	"speaker: private_person": "es spricht eine Privatperson", "speaker: employee": "es spricht ein Angestellter",
	"paid: yes": "dafür bezahlt", "paid: no": "nicht dafür bezahlt", "options: yes": "es geht um Optionen", "options: no": "keine Optionen",
	"audience: retail": "an Privatanleger", "audience: institutional": "an institutionelle Anleger",
	"sponsor: finra_member": "Auftraggeber ist ein FINRA-Mitglied", "sponsor: registered_adviser": "Auftraggeber ist ein registrierter Berater",
	"sponsor: other_business": "Auftraggeber ist ein anderes Unternehmen", "sponsor: none": "kein Auftraggeber",
	"? speaker": "wer spricht", "? paid": "ob der Sprecher bezahlt wird", "? options": "ob es um Optionen geht", "? audience": "an wen sich das Video richtet", "? sponsor": "wer der Auftraggeber ist",

	// Cover and summary.
	"Audit report: %s":   "Prüfbericht: %s",
	"Report of an audit": "Bericht einer Prüfung", "Cover": "Titel", "File": "Datei", "Length": "Länge", "Address": "Adresse", "Published": "Veröffentlicht",
	"Facts given": "Angaben", "Unknown": "Unbekannt", "Rules as of": "Regeln vom", "Audited on": "Geprüft am", "Prepared by": "Erstellt von",
	"Approved by": "Freigegeben von", "An approval is a signature of its own, in a file beside this one": "Eine Freigabe ist eine eigene Signatur in einer Datei neben dieser", "nobody named": "niemand genannt", "none": "keine", "not known": "nicht bekannt",
	"A frame of the video": "Ein Bild des Videos", "The frame could not be shown.": "Das Bild konnte nicht gezeigt werden.",
	"Potential issues for a person's decision; no legal advice": "Mögliche Probleme zur Entscheidung durch einen Menschen; keine Rechtsberatung",
	"This report lists potential issues for a person's decision, and what people decided. It is no legal advice and no legal finding. Where nothing was found, that means only that nothing was found.": "Dieser Bericht nennt mögliche Probleme zur Entscheidung durch einen Menschen, und was Menschen entschieden haben. Er ist keine Rechtsberatung und keine rechtliche Feststellung. Wo nichts gefunden wurde, heißt das nur, dass nichts gefunden wurde.",
	"Summary": "Zusammenfassung", "One potential issue": "Ein mögliches Problem", "%d potential issues": "%d mögliche Probleme", "No potential issue was found": "Es wurde kein mögliches Problem gefunden",
	"%d decided": "%d entschieden", "%d accepted, %d dismissed with a reason, %d still open.": "%d angenommen, %d mit Begründung verworfen, %d noch offen.",
	"By severity": "Nach Schwere", "By rule": "Nach Regel", "In the order of the video": "In der Reihenfolge des Videos", "Besides": "Außerdem",
	"Severity": "Schwere", "Found": "Gefunden", "Accepted": "Angenommen", "Dismissed": "Verworfen", "Open": "Offen", "Rule": "Regel", "Time": "Zeit", "Finding": "Befund", "Decision": "Entscheidung", "Page": "Seite",
	"One category checked, and nothing found": "Eine Kategorie geprüft und nichts gefunden", "One category not checked": "Eine Kategorie nicht geprüft",
	"One paragraph not applicable": "Ein Absatz nicht anwendbar", "One proposal dropped by the checks": "Ein Vorschlag bei der Nachprüfung verworfen",
	"%d categories checked, and nothing found": "%d Kategorien geprüft und nichts gefunden", "%d categories not checked": "%d Kategorien nicht geprüft",
	"%d paragraphs not applicable": "%d Absätze nicht anwendbar", "%d proposals dropped by the checks": "%d Vorschläge bei der Nachprüfung verworfen",

	// Findings.
	"Findings": "Befunde", "Finding %d of %d": "Befund %d von %d", "(found as %s)": "(gefunden als %s)", "all checks passed": "alle Nachprüfungen bestanden", "needs review": "zu prüfen", "to": "bis",
	"Frame of the video at %s": "Bild des Videos bei %s", "Frame at %s.": "Bild bei %s.", "The dashed box is where the words were read.": "Der gestrichelte Rahmen zeigt, wo die Wörter gelesen wurden.",
	"The words, in their place": "Die Wörter an ihrer Stelle", "Evidence": "Beleg", "Looked at from %s to %s.": "Betrachtet von %s bis %s.",
	"Rule card, in the program's own words.": "Regelkarte in eigenen Worten, nicht denen der Behörde.", "Official text.": "Amtlicher Text.", "In force on %s.": "In Kraft am %s.", "See also:": "Siehe auch:",
	"Why": "Warum", "Why it can apply": "Warum die Regel gelten kann", "What would help, a draft": "Was helfen würde, ein Entwurf",
	"Open.": "Offen.", "Nobody has decided about it.": "Niemand hat darüber entschieden.", "By %s, %s.": "Von %s, %s.", "Reason:": "Grund:",
	"Measured for this category: precision %s (%s), recall %s (%s).": "Gemessen für diese Kategorie: Genauigkeit %s (%s), Trefferquote %s (%s).",

	// Lists.
	"Checked and not checked": "Geprüft und nicht geprüft", "Category": "Kategorie", "Result": "Ergebnis", "Note": "Anmerkung", "The audit lists none.": "Die Prüfung nennt keine.",
	"A category in which nothing was found is not thereby in order: it means only that nothing was found.": "Eine Kategorie, in der nichts gefunden wurde, ist damit nicht in Ordnung: es heißt nur, dass nichts gefunden wurde.",
	"Not applicable": "Nicht anwendbar", "Paragraph": "Absatz", "Regulator": "Behörde", "Reason": "Grund",
	"These paragraphs cannot bind this speaker, going by the facts that a person gave. If a fact is wrong, so may this list be.": "Diese Absätze können diesen Sprecher nach den Angaben eines Menschen nicht binden. Ist eine Angabe falsch, kann es auch diese Liste sein.",
	"Dropped by the checks": "Bei der Nachprüfung verworfen", "Proposal": "Vorschlag",
	"What the program proposed and then threw out itself: words that are not in the video, a citation that was not found, a time outside of it.": "Was das Programm vorschlug und dann selbst verwarf: Wörter, die nicht im Video stehen, eine Fundstelle, die nicht gefunden wurde, eine Zeit außerhalb.",
	"Transcript": "Abschrift", "From": "Von", "To": "Bis", "Words": "Wörter",
	"What was said and shown, as it was audited. Lines in brackets were not trusted and took no part in the audit.": "Was gesagt und gezeigt wurde, so wie es geprüft wurde. Zeilen in Klammern galten als unsicher und nahmen an der Prüfung nicht teil.",

	// Limits.
	"What this report cannot tell": "Was dieser Bericht nicht sagen kann",
	"A program read this video and people decided. Both miss things. This report is no legal finding and no legal advice, and it does not say that anything in the video is allowed.": "Ein Programm hat dieses Video gelesen, und Menschen haben entschieden. Beide übersehen Dinge. Dieser Bericht ist keine rechtliche Feststellung und keine Rechtsberatung, und er sagt nicht, dass etwas in dem Video erlaubt ist.",
	"Measured, by category": "Gemessen, nach Kategorie", "Precision": "Genauigkeit", "Recall": "Trefferquote", "All categories": "Alle Kategorien",
	"This build was not measured on labelled cases with the language model that made this audit. How well it finds issues of each category is not known from this paper.":                                                                                                                                               "Diese Fassung wurde mit dem Sprachmodell dieser Prüfung nicht an beurteilten Fällen gemessen. Wie gut sie Probleme jeder Kategorie findet, sagt dieses Papier nicht.",
	"Counted on %d labelled cases on %s. Precision: of the findings, how many were right. Recall: of the issues in the cases, how many were found. Beside each stands its 95%% interval (Wilson), and n, of how many it is; a small n means wide doubt. The cases are texts: what is misheard or misread comes on top.": "Gezählt an %d beurteilten Fällen am %s. Genauigkeit: wie viele der Befunde richtig waren. Trefferquote: wie viele der Probleme in den Fällen gefunden wurden. Daneben steht das 95-%%-Intervall (Wilson) und n, von wie vielen; ein kleines n heißt großer Zweifel. Die Fälle sind Texte: Was falsch gehört oder gelesen wird, kommt hinzu.",
	"This audit was made with other models than the count: %s.":                                                                          "Diese Prüfung entstand mit anderen Modellen als die Zählung: %s.",
	"A category that applied and does not stand here had no case, so nothing is known of it. All figures are attached as measures.json.": "Zu einer Kategorie, die galt und hier nicht steht, gab es keinen Fall; über sie ist nichts bekannt. Alle Zahlen liegen als measures.json bei.",
	"This video": "Dieses Video", "Speech": "Sprache", "Screen": "Bild", "Models missing": "Fehlende Modelle", "Not looked at": "Nicht betrachtet",
	"Gestures, tone of voice, pictures without text, and pages behind links.": "Gesten, Tonfall, Bilder ohne Text und Seiten hinter Links.",
	"One line": "Eine Zeile", "%d lines": "%d Zeilen", "Mean certainty of the recogniser %s.": "Mittlere Sicherheit der Erkennung %s.", "Left out: %d (%s).": "Ausgelassen: %d (%s).",
	"No text was read from the picture.": "Es wurde kein Text vom Bild gelesen.", "One text was read.": "Ein Text wurde gelesen.", "%d texts were read.": "%d Texte wurden gelesen.",
	"Text that is shown very briefly or very small can be missed.": "Text, der sehr kurz oder sehr klein gezeigt wird, kann übersehen werden.",
	"The signature": "Die Signatur", "The record": "Das Protokoll",
	"This file is a draft. It bears no signature, and nothing shows whether it was changed.": "Diese Datei ist ein Entwurf. Sie trägt keine Signatur, und nichts zeigt, ob sie verändert wurde.",
	"A signature made with an identity of one's own making shows that the file has not changed since that key signed it. It does not show who the signer is: for that, compare the certificate's fingerprint with one that the signer gave you by another way, or sign with a certificate that somebody vouches for. The date is that of the signer's own computer unless a time stamp is attached.": "Eine Signatur mit einer selbst gemachten Identität zeigt, dass die Datei nicht verändert wurde, seit dieser Schlüssel sie signierte. Sie zeigt nicht, wer der Unterzeichner ist: Dafür vergleichen Sie den Fingerabdruck des Zertifikats mit einem, den Ihnen der Unterzeichner auf anderem Weg gab, oder signieren Sie mit einem Zertifikat, für das jemand bürgt. Das Datum ist das des Rechners des Unterzeichners, sofern kein Zeitstempel beiliegt.",
	"Every event is chained to the one before it by its digest, so that a change, a swap or a gap inside the record shows. Not detected: cutting off what came after the last report, and a rewrite of everything by someone who holds the database and the key. Keep the head that is printed here in another place.":                                                                               "Jedes Ereignis ist durch seinen Hashwert mit dem vorigen verkettet, so dass eine Änderung, ein Tausch oder eine Lücke im Protokoll auffällt. Nicht erkannt wird, wenn abgeschnitten wird, was nach dem letzten Bericht kam, oder wenn jemand, der Datenbank und Schlüssel hat, alles neu schreibt. Bewahren Sie den hier gedruckten Kopf an einem anderen Ort auf.",

	// Reproducing.
	"What it takes to get this again": "Was es braucht, um dies wieder zu erhalten",
	"With these parts, the same facts and the same file, the same findings are written again. All of it is attached to this file: audit.json has the findings, manifest.json the digest of every part.": "Mit diesen Teilen, denselben Angaben und derselben Datei entstehen wieder dieselben Befunde. Alles liegt dieser Datei bei: audit.json hat die Befunde, manifest.json den Hashwert jedes Teils.",
	"Program and rules": "Programm und Regeln", "Rule cards": "Regelkarten", "version": "Fassung", "Official text": "Amtlicher Text", "none installed": "keiner installiert",
	"Models": "Modelle", "Prompts": "Vorgaben an das Modell", "attached": "beigelegt", "this version has another text": "diese Fassung hat einen anderen Text", "The run": "Der Lauf", "Begun": "Begonnen", "Language model": "Sprachmodell", "%d calls": "%d Aufrufe", "%d tokens read, %d written": "%d Tokens gelesen, %d geschrieben",
	"%d ms": "%d ms", "kept from an earlier run": "aus einem früheren Lauf", "Record": "Protokoll", "Events": "Ereignisse", "Head": "Kopf", "Check it": "Nachprüfen", "SHA-256": "SHA-256",
	"Other programs check the signature too: any reader of PDF that knows PAdES signatures.": "Auch andere Programme prüfen die Signatur: jedes PDF-Programm, das PAdES-Signaturen kennt.",
	"Keeping": "Aufbewahren",
	"Information only: rules for US broker-dealers ask that communications be kept for three years (17 CFR 240.17a-4), rules for advisers that advertisements be kept for five (17 CFR 275.204-2). This file is designed to support such keeping; whether it is enough, a person must say.": "Nur zur Information: Regeln für US-Broker verlangen, Mitteilungen drei Jahre aufzubewahren (17 CFR 240.17a-4), Regeln für Berater, Werbung fünf Jahre aufzubewahren (17 CFR 275.204-2). Diese Datei soll das unterstützen; ob sie genügt, muss ein Mensch sagen.",

	// Every page, and the other forms.
	"Draft, not signed": "Entwurf, nicht signiert", "Signed by %s": "Signiert von %s", "%d of %d": "%d von %d",
	"Certifies this report; no changes are allowed":             "Bestätigt diesen Bericht; Änderungen sind nicht erlaubt",
	"This page is not signed.":                                  "Diese Seite ist nicht signiert.",
	"This document can be changed by anyone and is not signed.": "Dieses Dokument kann jeder ändern; es ist nicht signiert.",
}
