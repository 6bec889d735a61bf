// What went wrong, in German: by the English sentence of the Go side, whose open places are numbered. A test of the Go
// side holds the list to the sentences that it has. Commands and names stay as they are.
export const problems: Record<string, string> = {
  'Cancelled.': 'Abgebrochen.',
  // what is asked of the window
  'Choose a video first.': 'Wählen Sie zuerst ein Video.',
  'Choose a text first.': 'Wählen Sie zuerst einen Text.',
  'There is no question.': 'Es ist keine Frage da.',
  'A question may have {0} characters at most.': 'Eine Frage darf höchstens {0} Zeichen haben.',
  'A question cannot be answered in the way "{0}".': 'Auf die Art „{0}“ lässt sich keine Frage beantworten.',
  'A question is being answered; stop it, or wait for its answer.':
    'Eine Frage wird gerade beantwortet. Halten Sie sie an oder warten Sie die Antwort ab.',
  'This question is not asked any more.': 'Diese Frage wird nicht mehr gestellt.',
  'This question is not in the record.': 'Diese Frage steht nicht im Protokoll.',
  'Questions cannot be answered here.': 'Fragen lassen sich hier nicht beantworten.',
  'Documents cannot be opened here.': 'Unterlagen lassen sich hier nicht öffnen.',
  'This document was removed. What was quoted of it stands in the answer.':
    'Diese Unterlage wurde entfernt. Was aus ihr zitiert wurde, steht in der Antwort.',
  'This passage is not there any more: the document was imported anew.':
    'Diese Stelle gibt es nicht mehr: Die Unterlage wurde neu eingelesen.',
  '"{0}" is no day; write it as 2026-03-01.': '„{0}“ ist kein Tag. Schreiben Sie ihn so: 2026-03-01.',
  'The as-of date must look like 2026-03-01, not "{0}".': 'Der Stichtag wird so geschrieben: 2026-03-01, nicht „{0}“.',
  'The facts beside the video could not be read: {0}.': 'Die Angaben neben dem Video ließen sich nicht lesen: {0}.',
  'The facts file {0} cannot be read.': 'Die Datei mit Angaben {0} lässt sich nicht lesen.',
  'The facts are not valid JSON of the documented shape.': 'Die Angaben sind kein JSON in der beschriebenen Form.',
  'The facts file has something after its JSON object.': 'In der Datei mit Angaben steht noch etwas nach dem JSON.',
  'The fact "{0}" cannot be "{1}"; it takes one of {2} or "{3}".':
    'Die Angabe „{0}“ kann nicht „{1}“ sein, sondern {2} oder „{3}“.',
  'The fact "published" must be a date such as 2026-03-01, not "{0}".':
    'Der Tag der Veröffentlichung wird so geschrieben: 2026-03-01, nicht „{0}“.',
  'This audit is not in the queue any more.': 'Diese Prüfung ist nicht mehr in der Warteschlange.',
  'This audit is in work. Cancel it first.': 'Diese Prüfung läuft. Brechen Sie sie zuerst ab.',
  'Only audits that wait can be moved.': 'Nur wartende Prüfungen lassen sich verschieben.',
  'The transcript of this audit cannot be corrected.': 'Die Mitschrift dieser Prüfung lässt sich nicht verbessern.',
  'This audit has no line {0}.': 'Diese Prüfung hat keine Zeile {0}.',
  "The description is not a machine's: change it where it comes from.":
    'Die Beschreibung ist nicht von einer Maschine. Ändern Sie sie dort, woher sie kommt.',
  'A decision cannot be "{0}".': 'Eine Entscheidung kann nicht „{0}“ sein.',
  'Dismissing a finding needs a reason.': 'Wer einen Befund verwirft, nennt einen Grund.',
  'An audit cannot be exported as "{0}".': 'Eine Prüfung lässt sich nicht als „{0}“ ausgeben.',
  'There is no finished audit {0} to compare with.': 'Es gibt keine fertige Prüfung {0} zum Vergleichen.',
  'An audit cannot be compared with itself.': 'Eine Prüfung lässt sich nicht mit sich selbst vergleichen.',
  'An import is running; stop it, or wait for its end.':
    'Es wird gerade eingelesen. Halten Sie es an oder warten Sie das Ende ab.',
  'Nothing can be imported here.': 'Hier lässt sich nichts einlesen.',
  'That cannot be removed here.': 'Das lässt sich hier nicht entfernen.',
  'There are no files of the kind "{0}".': 'Dateien der Art „{0}“ gibt es nicht.',
  'Files of the kind "{0}" are not chosen here.': 'Dateien der Art „{0}“ werden hier nicht gewählt.',
  'Checking reports is not part of this build.': 'Dieses Programm kann keine Berichte prüfen.',
  'Approving reports is not part of this build.': 'Dieses Programm kann keine Berichte freigeben.',
  'Comparing is not part of this build.': 'Dieses Programm kann nicht vergleichen.',
  'Exporting is not part of this build.': 'Dieses Programm kann nichts ausgeben.',
  'The rules cannot be shown here.': 'Die Regeln lassen sich hier nicht zeigen.',
  'The cache cannot be cleaned here.': 'Der Zwischenspeicher lässt sich hier nicht leeren.',
  'The quota cannot be set here.': 'Die Grenze lässt sich hier nicht setzen.',
  'The network cannot be switched here.': 'Das Netz lässt sich hier nicht schalten.',
  'This build brings no models.': 'Dieses Programm holt keine Modelle.',
  'This build takes no models.': 'Dieses Programm nimmt keine Modelle an.',
  'This build has no demo.': 'Dieses Programm hat kein Beispiel.',
  'There is no finished audit "{0}". Run veristream audit first; its number is in the last line.':
    'Es gibt keine fertige Prüfung „{0}“.',
  'There is no audit to report.': 'Es gibt keine Prüfung für den Bericht.',
  'There is no format "{0}".': 'Das Format „{0}“ gibt es nicht.',
  // settings and people
  "The window's settings could not be saved in {0}.":
    'Die Einstellungen des Fensters ließen sich nicht in {0} speichern.',
  'The theme cannot be "{0}".': 'Das Aussehen kann nicht „{0}“ sein.',
  'The language cannot be "{0}".': 'Die Sprache kann nicht „{0}“ sein.',
  'Preparer and approver may not be the same person.': 'Bearbeitung und Freigabe dürfen nicht dieselbe Person sein.',
  'Name the approver before working as one.': 'Benennen Sie erst, wer freigibt.',
  "The approver's passphrase needs {0} characters or more.":
    'Das Kennwort für die Freigabe braucht mindestens {0} Zeichen.',
  "An identity needs the approver's name.": 'Eine Identität braucht den Namen dessen, der freigibt.',
  'There is no identity "{0}".': 'Die Identität „{0}“ gibt es nicht.',
  'The identity file {0} cannot be read.': 'Die Datei der Identität {0} lässt sich nicht lesen.',
  'The report cannot be approved: it is {0}.': 'Der Bericht lässt sich nicht freigeben: Er ist {0}.',
  'Who prepared a report cannot approve it; sign with another identity (--p12).':
    'Wer einen Bericht vorbereitet hat, kann ihn nicht freigeben. Signieren Sie mit einer anderen Identität.',
  '{0} is larger than any report.': '{0} ist größer als jeder Bericht.',
  'The quota cannot be negative; 0 is no bound.': 'Die Grenze kann nicht negativ sein; 0 heißt keine Grenze.',
  '{0} cannot be cleaned.': '{0} lässt sich nicht leeren.',
  'Not all of it could be deleted.': 'Nicht alles ließ sich löschen.',
  // files and folders
  'The file {0} cannot be read.': 'Die Datei {0} lässt sich nicht lesen.',
  'The file {0} cannot be written.': 'Die Datei {0} lässt sich nicht schreiben.',
  'The folder {0} cannot be read.': 'Der Ordner {0} lässt sich nicht lesen.',
  'The folder {0} cannot be made.': 'Der Ordner {0} lässt sich nicht anlegen.',
  'The folder {0} cannot be made; set VERISTREAM_HOME to a folder that can be written to.':
    'Der Ordner {0} lässt sich nicht anlegen. Setzen Sie VERISTREAM_HOME auf einen Ordner, in den geschrieben werden darf.',
  'The folder {0} cannot be written to.': 'In den Ordner {0} lässt sich nicht schreiben.',
  'The folder {0} holds no file.': 'Im Ordner {0} ist keine Datei.',
  'The folder {0} holds no file to import.': 'Im Ordner {0} ist keine Datei zum Einlesen.',
  'The folder {0} is not watched.': 'Der Ordner {0} wird nicht beobachtet.',
  "The folder {0} for this video's intermediate files cannot be made.":
    'Der Ordner {0} für Zwischendateien dieses Videos lässt sich nicht anlegen.',
  'The folder {0} for the playback copy cannot be made.':
    'Der Ordner {0} für die Kopie zum Abspielen lässt sich nicht anlegen.',
  'The folder {0} for pictures cannot be made.': 'Der Ordner {0} für Bilder lässt sich nicht anlegen.',
  'The folder for fetched videos, {0}, cannot be made.':
    'Der Ordner für geholte Videos, {0}, lässt sich nicht anlegen.',
  'The folder for fetched videos, {0}, cannot be written to.':
    'In den Ordner für geholte Videos, {0}, lässt sich nicht schreiben.',
  'The folder for tools, {0}, cannot be made.': 'Der Ordner für Werkzeuge, {0}, lässt sich nicht anlegen.',
  'The folder for tools, {0}, cannot be written to.': 'In den Ordner für Werkzeuge, {0}, lässt sich nicht schreiben.',
  'The temporary folder {0} cannot be made.': 'Der vorläufige Ordner {0} lässt sich nicht anlegen.',
  'The temporary folder {0} cannot be written to.': 'In den vorläufigen Ordner {0} lässt sich nicht schreiben.',
  'The temporary folder {0} cannot be removed.': 'Der vorläufige Ordner {0} lässt sich nicht entfernen.',
  'What an earlier run left in {0} cannot be removed.':
    'Was ein früherer Lauf in {0} zurückließ, lässt sich nicht entfernen.',
  'There is no folder {0}.': 'Den Ordner {0} gibt es nicht.',
  'There is no file {0}.': 'Die Datei {0} gibt es nicht.',
  'There is nothing at that path': 'Unter diesem Pfad ist nichts.',
  'There is no video, sound or subtitle file in {0}.': 'In {0} ist kein Video, kein Ton und keine Untertiteldatei.',
  '{0} is no path.': '{0} ist kein Pfad.',
  '{0} cannot be opened.': '{0} lässt sich nicht öffnen.',
  '{0} cannot be read.': '{0} lässt sich nicht lesen.',
  '{0} cannot be read: {1}.': '{0} lässt sich nicht lesen: {1}.',
  '{0} cannot be looked at.': '{0} lässt sich nicht ansehen.',
  '{0} cannot be written.': '{0} lässt sich nicht schreiben.',
  '{0} is larger than {1} MB; import a part at a time.': '{0} ist größer als {1} MB. Lesen Sie es in Teilen ein.',
  'The disk is full': 'Die Festplatte ist voll.',
  'The disk is full: there is no space for {0}. Free some and try again.':
    'Die Festplatte ist voll: Für {0} ist kein Platz. Schaffen Sie Platz und versuchen Sie es noch einmal.',
  'The disk is full: {0} of {1} needs more space. Free some and try again.':
    'Die Festplatte ist voll: {0} von {1} braucht mehr Platz. Schaffen Sie Platz und versuchen Sie es noch einmal.',
  'The disk cannot be written to: {0} of {1} has no place.':
    'Auf die Festplatte lässt sich nicht schreiben: {0} von {1} hat keinen Platz.',
  'The disk is read-only: {0} cannot be written.':
    'Die Festplatte ist schreibgeschützt: {0} lässt sich nicht schreiben.',
  'You may not write there: {0} cannot be written.': 'Dort dürfen Sie nicht schreiben: {0} lässt sich nicht schreiben.',
  // the database and the queue
  'The database {0} was written by a newer VeriStream (schema {1}, this one knows {2}). Update VeriStream.':
    'Die Datenbank {0} ist von einem neueren VeriStream (Schema {1}, dieses kennt {2}). Aktualisieren Sie VeriStream.',
  'The folder of the database {0} cannot be made.': 'Der Ordner der Datenbank {0} lässt sich nicht anlegen.',
  '{0} is a folder, not a database.': '{0} ist ein Ordner und keine Datenbank.',
  '{0} is a database of another program.': '{0} ist die Datenbank eines anderen Programms.',
  'The event log of {0} was changed at entry {1}.': 'Das Protokoll von {0} wurde bei Eintrag {1} verändert.',
  'Entry {0} of the record cannot be read.': 'Eintrag {0} des Protokolls lässt sich nicht lesen.',
  'The index was made with the embedder "{0}" and not with "{1}". It is made again when VeriStream next embeds the passages.':
    'Das Verzeichnis wurde mit dem Modell „{0}“ gemacht und nicht mit „{1}“. Es wird beim nächsten Mal neu gemacht.',
  "The queue's row of {0} cannot be read. Remove it and add it again.":
    'Die Zeile von {0} in der Warteschlange lässt sich nicht lesen. Entfernen Sie sie und fügen Sie sie neu an.',
  'VeriStream ended {0} times while it worked on this. Retry it alone, and look into the log.':
    'VeriStream endete {0}-mal, während es hieran arbeitete. Versuchen Sie es allein und sehen Sie ins Protokoll.',
  '{0} jobs of the queue fit {1}. Give more of the id.': '{0} Einträge der Warteschlange passen zu {1}.',
  'There is no job {0} in the queue. Run: veristream batch list': 'In der Warteschlange gibt es {0} nicht.',
  // videos, sound, transcripts
  '{0} has no sound track.': '{0} hat keine Tonspur.',
  '{0} has no sound track {1}; it has {2}.': '{0} hat keine Tonspur {1}, sondern {2}.',
  '{0}: no sound could be taken out of it.': '{0}: Der Ton ließ sich nicht herausnehmen.',
  '{0}: its sound track is empty.': '{0}: Die Tonspur ist leer.',
  '{0} has no picture.': '{0} hat kein Bild.',
  '{0} has no picture at {1} ms.': '{0} hat bei {1} ms kein Bild.',
  'The picture {0} cannot be read.': 'Das Bild {0} lässt sich nicht lesen.',
  'The player cannot play {0}.': '{0} lässt sich hier nicht abspielen.',
  'The playback copy {0} cannot be looked at.': 'Die Kopie zum Abspielen {0} lässt sich nicht ansehen.',
  '{0} is a folder. Choose a video, sound or subtitle file in it.':
    '{0} ist ein Ordner. Wählen Sie darin ein Video, eine Aufnahme oder Untertitel.',
  '{0} is not a file but a device or a pipe.': '{0} ist keine Datei, sondern ein Gerät oder eine Leitung.',
  '{0} is empty (0 bytes).': '{0} ist leer (0 Byte).',
  '{0} may not be read: you have no permission.': '{0} darf nicht gelesen werden: Ihnen fehlt das Recht dazu.',
  'The name of the file is too long.': 'Der Name der Datei ist zu lang.',
  '{0} cannot be read: the disk reports an error.': '{0} lässt sich nicht lesen: Die Festplatte meldet einen Fehler.',
  '{0} could not be looked at within a minute; is its disk reachable?':
    '{0} ließ sich innerhalb einer Minute nicht ansehen. Ist das Laufwerk erreichbar?',
  '{0} cannot be read to its end.': '{0} lässt sich nicht bis zum Ende lesen.',
  '{0} is a text file, not a video.{1}': '{0} ist eine Textdatei und kein Video.{1}',
  '{0} is cut off: its index is missing, as after a broken download or recording. Get the file again.':
    '{0} ist abgeschnitten: Das Verzeichnis fehlt, wie nach einem abgebrochenen Laden oder Aufnehmen. Holen Sie die Datei noch einmal.',
  '{0} is cut off: it should last {1}, but its end is missing. Get the file again.':
    '{0} ist abgeschnitten: Es sollte {1} dauern, aber das Ende fehlt. Holen Sie die Datei noch einmal.',
  '{0} is damaged at its beginning. Get the file again.':
    '{0} ist am Anfang beschädigt. Holen Sie die Datei noch einmal.',
  '{0} is not a video or sound file that can be read.': '{0} ist kein Video und kein Ton, der sich lesen lässt.',
  '{0} is a picture, not a video.': '{0} ist ein Bild und kein Video.',
  '{0} holds neither a moving picture nor sound.': '{0} enthält weder ein bewegtes Bild noch Ton.',
  '{0} holds a picture in a format that ffmpeg does not know.':
    '{0} enthält ein Bild in einem Format, das ffmpeg nicht kennt.',
  '{0} is encrypted (protected against copying) and cannot be read. Ask its maker for an open copy.':
    '{0} ist verschlüsselt (kopiergeschützt) und lässt sich nicht lesen. Bitten Sie um eine offene Fassung.',
  '{0} has no length: there is nothing in it to hear or see.':
    '{0} hat keine Länge: Es ist nichts darin zu hören oder zu sehen.',
  '{0} holds no text.': '{0} enthält keinen Text.',
  '{0} is too large for a transcript ({1} MB).': '{0} ist zu groß für eine Mitschrift ({1} MB).',
  '{0} is not a text file.': '{0} ist keine Textdatei.',
  'There is no format "{0}"; use {1} or json.': 'Das Format „{0}“ gibt es nicht; es gibt {1} und json.',
  'A still is written as .png or .jpg, not {0}.': 'Ein Standbild wird als .png oder .jpg geschrieben, nicht als {0}.',
  'There is not enough memory for {0} of {1}.': 'Für {0} von {1} reicht der Speicher nicht.',
  '{0}: {1} failed; the file may be damaged.': '{0}: {1} ist gescheitert; die Datei ist vielleicht beschädigt.',
  'ffmpeg cannot be started': 'ffmpeg lässt sich nicht starten.',
  'ffmpeg gave a picture without a time': 'ffmpeg gab ein Bild ohne Zeit.',
  '{0} is not installed. Install it with: sudo apt install ffmpeg':
    '{0} ist nicht installiert. Installieren Sie es mit: sudo apt install ffmpeg',
  '{0} does not run. Install it again with: sudo apt install --reinstall ffmpeg':
    '{0} läuft nicht. Installieren Sie es neu mit: sudo apt install --reinstall ffmpeg',
  '{0} does not tell its version': '{0} nennt seine Version nicht.',
  'The sound file is gone.': 'Die Tondatei ist fort.',
  'The sound cannot be read.': 'Der Ton lässt sich nicht lesen.',
  'the sound has {0} samples a second instead of {1}': 'Der Ton hat {0} Werte in der Sekunde statt {1}.',
  // addresses
  '"{0}" is not an address that begins with https:// or http://.':
    '„{0}“ ist keine Adresse, die mit https:// oder http:// beginnt.',
  '{0} is not an address that begins with https:// or http://.':
    '{0} ist keine Adresse, die mit https:// oder http:// beginnt.',
  '{0} is not an address.': '{0} ist keine Adresse.',
  'What this address gives is no video and no sound that can be read.':
    'Was diese Adresse liefert, ist kein Video und kein Ton, der sich lesen lässt.',
  'The fetched video is gone from {0}.': 'Das geholte Video ist aus {0} verschwunden.',
  'This address is a page, and yt-dlp, which finds the videos in pages, is not installed. Run build/setup, or: pipx install yt-dlp':
    'Diese Adresse ist eine Seite, und yt-dlp, das Videos in Seiten findet, ist nicht installiert. Abhilfe: build/setup oder pipx install yt-dlp',
  'This address gives no video but a page ({0}).': 'Diese Adresse liefert kein Video, sondern eine Seite ({0}).',
  'This address is a list of {0} videos. Choose which of them to audit.':
    'Diese Adresse ist eine Liste von {0} Videos. Wählen Sie, welche geprüft werden.',
  'This is a live stream that still goes on. Audit it when it has ended.':
    'Das ist eine Übertragung, die noch läuft. Prüfen Sie sie, wenn sie zu Ende ist.',
  'The video lasts {0}, more than the limit of {1}.': 'Das Video dauert {0}, mehr als die Grenze von {1}.',
  'The video is larger than the limit of {0} MB.': 'Das Video ist größer als die Grenze von {0} MB.',
  'The video has {0} MB, more than the limit of {1} MB.': 'Das Video hat {0} MB, mehr als die Grenze von {1} MB.',
  'The site cannot be reached. Check the network and the address.':
    'Die Seite ist nicht zu erreichen. Prüfen Sie das Netz und die Adresse.',
  'The site refuses to send this video (403). Ask for the file.':
    'Die Seite gibt dieses Video nicht heraus (403). Bitten Sie um die Datei.',
  'The site did not send the video.': 'Die Seite hat das Video nicht gesandt.',
  'The site sent a video of 0 bytes. Try again later.':
    'Die Seite sandte ein Video von 0 Byte. Versuchen Sie es später noch einmal.',
  'The download broke off. Try again: it goes on where it stopped, if the site allows it.':
    'Das Laden brach ab. Versuchen Sie es noch einmal: Es geht weiter, wo es stehen blieb, wenn die Seite das zulässt.',
  'The video could not be downloaded.': 'Das Video ließ sich nicht laden.',
  'Nothing was downloaded from this address.': 'Von dieser Adresse wurde nichts geladen.',
  'Downloads are switched off in the settings. Switch them on, or choose a file.':
    'Das Herunterladen ist in den Optionen aus. Schalten Sie es ein oder wählen Sie eine Datei.',
  'The network is switched off ({0} is set), so {1}.': 'Das Netz ist aus ({0} ist gesetzt): {1}.',
  'The network is switched off in the settings (veristream settings offline off switches it on), so {0}.':
    'Das Netz ist in den Optionen aus: {0}.',
  'no model is downloaded': 'Es wird kein Modell geladen',
  'no video is fetched from an address': 'Von Adressen wird kein Video geholt',
  'no site is asked about a video': 'Keine Seite wird nach einem Video gefragt',
  'no rule text is fetched': 'Es wird kein Regeltext geholt',
  'yt-dlp is not installed. Install it with: pipx install yt-dlp':
    'yt-dlp ist nicht installiert. Installieren Sie es mit: pipx install yt-dlp',
  'yt-dlp cannot be started.': 'yt-dlp lässt sich nicht starten.',
  'yt-dlp does not run.': 'yt-dlp läuft nicht.',
  'yt-dlp did not understand the answer of the site.': 'yt-dlp verstand die Antwort der Seite nicht.',
  'yt-dlp could not be downloaded. It needs python3 with pip and the network.':
    'yt-dlp ließ sich nicht laden. Es braucht python3 mit pip und das Netz.',
  'What was downloaded is not yt-dlp.': 'Was geladen wurde, ist nicht yt-dlp.',
  'The downloaded yt-dlp cannot be unpacked.': 'Das geladene yt-dlp lässt sich nicht entpacken.',
  'The old yt-dlp cannot be replaced.': 'Das alte yt-dlp lässt sich nicht ersetzen.',
  'yt-dlp cannot be written to {0}.': 'yt-dlp lässt sich nicht nach {0} schreiben.',
  'yt-dlp cannot be put into {0}.': 'yt-dlp lässt sich nicht nach {0} legen.',
  'The disk is full. Free some space and try again; the download goes on where it stopped.':
    'Die Festplatte ist voll. Schaffen Sie Platz und versuchen Sie es noch einmal; das Laden geht weiter, wo es stehen blieb.',
  "The video is private: only its owner's chosen viewers can see it. Ask for the file.":
    'Das Video ist privat: Nur wen der Besitzer wählt, kann es sehen. Bitten Sie um die Datei.',
  'The video is not available in your region. Ask for the file.':
    'Das Video ist in Ihrer Gegend nicht zu haben. Bitten Sie um die Datei.',
  'The site shows this video only to people who are signed in. Ask for the file.':
    'Die Seite zeigt dieses Video nur angemeldeten Personen. Bitten Sie um die Datei.',
  'The site says that there were too many requests. Wait a while and try again.':
    'Die Seite sagt, es seien zu viele Anfragen gewesen. Warten Sie eine Weile und versuchen Sie es noch einmal.',
  'There is no video at this address: it was removed, or the address is wrong.':
    'Unter dieser Adresse ist kein Video: Es wurde entfernt, oder die Adresse stimmt nicht.',
  'The site refuses to send this video (403). A newer yt-dlp may help, or ask for the file.':
    'Die Seite gibt dieses Video nicht heraus (403). Ein neueres yt-dlp hilft vielleicht, oder bitten Sie um die Datei.',
  'The site has trouble of its own. Try again later.':
    'Die Seite hat selbst Schwierigkeiten. Versuchen Sie es später noch einmal.',
  'The download broke off. Try again: it goes on where it stopped.':
    'Das Laden brach ab. Versuchen Sie es noch einmal: Es geht weiter, wo es stehen blieb.',
  'There is no video at this address in a form that can be downloaded.':
    'Unter dieser Adresse ist kein Video in einer Form, die sich laden lässt.',
  'No video was found at this address.': 'Unter dieser Adresse wurde kein Video gefunden.',
  'The video is protected against copying. Ask its maker for an open copy.':
    'Das Video ist kopiergeschützt. Bitten Sie um eine offene Fassung.',
  'yt-dlp does not understand this site any more: it is probably too old. Update it and try again.':
    'yt-dlp versteht diese Seite nicht mehr: Es ist wohl zu alt. Erneuern Sie es und versuchen Sie es noch einmal.',
  'the folder of the video': 'den Ordner des Videos',
  'the video': 'das Video',
  'the transcript': 'die Mitschrift',
  'a picture of the video': 'ein Bild des Videos',
  ' It looks like subtitles: name it .srt or .vtt.': ' Es sieht nach Untertiteln aus: Nennen Sie es .srt oder .vtt.',
  // models
  'The model {0} is not installed. Run: veristream models pull {1}':
    'Das Modell {0} ist nicht installiert. Laden Sie es in den Optionen, oder: veristream models pull {1}',
  'No language model is installed.': 'Es ist kein Sprachmodell installiert.',
  'There is no language model to try.': 'Es gibt kein Sprachmodell zum Prüfen.',
  'There is no model to choose.': 'Es gibt kein Modell zu wählen.',
  'There is nothing to choose among models of the kind "{0}".':
    'Unter Modellen der Art „{0}“ gibt es nichts zu wählen.',
  '{0} cannot be used for that.': '{0} lässt sich dafür nicht benutzen.',
  '{0} is being downloaded; stop that first.': '{0} wird gerade geladen. Halten Sie das zuerst an.',
  '{0} is not being downloaded.': '{0} wird nicht geladen.',
  '{0} is not installed any more.': '{0} ist nicht mehr installiert.',
  'A model is being imported; wait for its end.': 'Ein Modell wird gerade eingelesen. Warten Sie das Ende ab.',
  'The list of models inside the program cannot be read': 'Die Liste der Modelle im Programm lässt sich nicht lesen.',
  'A model file is not what it was when it was installed, and is not used':
    'Die Datei eines Modells ist nicht mehr, was sie bei der Installation war, und wird nicht benutzt.',
  'The folder of the models cannot be written to (set VERISTREAM_HOME to another)':
    'In den Ordner der Modelle lässt sich nicht schreiben (setzen Sie VERISTREAM_HOME auf einen anderen).',
  'The models folder cannot be used': 'Der Ordner der Modelle lässt sich nicht benutzen.',
  '{0} was not installed: the disk is full.': '{0} wurde nicht installiert: Die Festplatte ist voll.',
  '{0} was not installed: there is not enough disk space in {1}: {2} are needed, {3} are free.':
    '{0} wurde nicht installiert: In {1} ist nicht genug Platz: {2} werden gebraucht, {3} sind frei.',
  'There is not enough disk space in {0}: {1} are needed, {2} are free.':
    'In {0} ist nicht genug Platz: {1} werden gebraucht, {2} sind frei.',
  'There is no model "{0}"; there are: {1}.': 'Das Modell „{0}“ gibt es nicht; es gibt: {1}.',
  '{0} was not installed: what arrived is not the file that was meant, and was thrown away.':
    '{0} wurde nicht installiert: Was ankam, ist nicht die gemeinte Datei und wurde weggeworfen.',
  '{0} was not installed: the publisher cannot be reached, and the client for its package is missing.':
    '{0} wurde nicht installiert: Der Herausgeber ist nicht zu erreichen, und das Programm für sein Paket fehlt.',
  '{0} was not installed: none of its sources could be reached.':
    '{0} wurde nicht installiert: Keine seiner Quellen war zu erreichen.',
  'onnxruntime is not installed. Run build/setup.': 'onnxruntime ist nicht installiert. Abhilfe: build/setup.',
  'onnxruntime ({0}) is not installed. Run build/setup, or install VeriStream again.':
    'onnxruntime ({0}) ist nicht installiert. Abhilfe: build/setup, oder installieren Sie VeriStream neu.',
  'onnxruntime in {0} cannot be opened.': 'onnxruntime in {0} lässt sich nicht öffnen.',
  'The model in {0} cannot be loaded. Run veristream models verify.':
    'Das Modell in {0} lässt sich nicht laden. Prüfen Sie es mit: veristream models verify',
  'The {0} is not installed ({1} lacks {2}). Run veristream models pull {3}.':
    '{0} ist nicht installiert ({1} fehlt {2}). Abhilfe: veristream models pull {3}',
  'The {0} cannot be read. Run veristream models verify.':
    '{0} lässt sich nicht lesen. Prüfen Sie es mit: veristream models verify',
  embedder: 'Das Modell für die Suche',
  reranker: 'Das Modell für die Rangfolge',
  screener: 'Das Modell für die Vorauswahl',
  'The embedder failed on a text.': 'Das Modell für die Suche scheiterte an einem Text.',
  'The reranker failed on a passage.': 'Das Modell für die Rangfolge scheiterte an einer Stelle.',
  'The screener failed on a sentence.': 'Das Modell für die Vorauswahl scheiterte an einem Satz.',
  "The screener's calibration cannot be read. Run veristream models verify.":
    'Die Eichung der Vorauswahl lässt sich nicht lesen. Prüfen Sie sie mit: veristream models verify',
  'The speech model is not installed. Run: veristream models pull whisper-base':
    'Das Modell für Gehörtes ist nicht installiert. Laden Sie es in den Optionen, oder: veristream models pull whisper-base',
  '{0} is not a speech model that can be used. Run: veristream models verify':
    '{0} ist kein Modell für Gehörtes, das sich benutzen lässt. Prüfen Sie es mit: veristream models verify',
  'The speech model {0} cannot be loaded; it may be damaged. Run: veristream models verify':
    'Das Modell für Gehörtes {0} lässt sich nicht laden; es ist vielleicht beschädigt. Prüfen Sie es mit: veristream models verify',
  'The speech model does not know the language "{0}".': 'Das Modell für Gehörtes kennt die Sprache „{0}“ nicht.',
  'The speech model does not know the language "{0}"; use auto or a code such as en.':
    'Das Modell für Gehörtes kennt die Sprache „{0}“ nicht; nehmen Sie auto oder ein Kürzel wie en.',
  'This speech model knows English only. For other languages run: veristream models pull whisper-base':
    'Dieses Modell für Gehörtes kennt nur Englisch. Für andere Sprachen: veristream models pull whisper-base',
  'The speech model cannot be read.': 'Das Modell für Gehörtes lässt sich nicht lesen.',
  'The speech model failed on a stretch of sound.': 'Das Modell für Gehörtes scheiterte an einem Stück Ton.',
  'The speech worker cannot be started.': 'Der Helfer für Gehörtes lässt sich nicht starten.',
  'The program does not find itself to start the speech worker.':
    'Das Programm findet sich selbst nicht, um den Helfer für Gehörtes zu starten.',
  'The speech worker stopped before it was done.': 'Der Helfer für Gehörtes hörte auf, bevor er fertig war.',
  'The speech worker was ended by signal {0} ({1}){2}.':
    'Der Helfer für Gehörtes wurde durch das Signal {0} ({1}) beendet{2}.',
  'The speech worker ended with exit code {0}.': 'Der Helfer für Gehörtes endete mit dem Code {0}.',
  'The model for screen text is not installed. Run: veristream models pull ppocr-v6-small':
    'Das Modell für Bildschirmtext ist nicht installiert. Laden Sie es in den Optionen, oder: veristream models pull ppocr-v6-small',
  'The model for screen text cannot be read.': 'Das Modell für Bildschirmtext lässt sich nicht lesen.',
  'The program does not find itself to start the worker for screen text.':
    'Das Programm findet sich selbst nicht, um den Helfer für Bildschirmtext zu starten.',
  'The worker for screen text cannot be started.': 'Der Helfer für Bildschirmtext lässt sich nicht starten.',
  'The worker for screen text ended: {0}.': 'Der Helfer für Bildschirmtext endete: {0}.',
  'The worker for screen text stopped before it was done.':
    'Der Helfer für Bildschirmtext hörte auf, bevor er fertig war.',
  'The worker for screen text gave an answer that is none.':
    'Der Helfer für Bildschirmtext gab eine Antwort, die keine ist.',
  'The text on a frame could not be read.': 'Der Text auf einem Bild ließ sich nicht lesen.',
  'tesseract is not installed. Install it with: sudo apt install tesseract-ocr':
    'tesseract ist nicht installiert. Installieren Sie es mit: sudo apt install tesseract-ocr',
  'tesseract lacks the language {0}. Install it with: sudo apt install tesseract-ocr-{1}':
    'tesseract fehlt die Sprache {0}. Installieren Sie sie mit: sudo apt install tesseract-ocr-{1}',
  // the language model and its server
  'No port is free for the Ollama server': 'Für Ollama ist kein Anschluss frei.',
  'The folder for the Ollama server cannot be made': 'Der Ordner für Ollama lässt sich nicht anlegen.',
  'Ollama could not be started from {0}': 'Ollama ließ sich nicht aus {0} starten.',
  'The Ollama server ended as soon as it was started': 'Ollama endete gleich nach dem Start.',
  'The Ollama server did not answer within {0}': 'Ollama antwortete nicht innerhalb von {0}.',
  'The Ollama server stopped while it was asked': 'Ollama hörte auf, während es gefragt wurde.',
  'The Ollama server reported an error': 'Ollama meldete einen Fehler.',
  'Ollama could not download {0}': 'Ollama konnte {0} nicht laden.',
  "Ollama does not know the chat format of {0}; give it one with 'ollama create' and choose that model.":
    'Ollama kennt die Gesprächsform von {0} nicht. Geben Sie ihm eine mit „ollama create“ und wählen Sie dieses Modell.',
  'OLLAMA_HOST is not an address: "{0}".': 'OLLAMA_HOST ist keine Adresse: „{0}“.',
  'OLLAMA_HOST names another computer ({0}), and nothing may leave this one; unset it, or run Ollama here':
    'OLLAMA_HOST nennt einen anderen Rechner ({0}), und nichts darf diesen verlassen. Löschen Sie die Variable oder starten Sie Ollama hier.',
  'The model {0} runs on another computer, and nothing may leave this one; choose another model':
    'Das Modell {0} läuft auf einem anderen Rechner, und nichts darf diesen verlassen. Wählen Sie ein anderes Modell.',
  'The language model {0} is not on the Ollama server': 'Ollama hat das Sprachmodell {0} nicht.',
  'The language model {0} is not on the Ollama server (run: ollama pull {1})':
    'Ollama hat das Sprachmodell {0} nicht (Abhilfe: ollama pull {1}).',
  'The language model {0} is not installed (run: veristream models pull {1})':
    'Das Sprachmodell {0} ist nicht installiert. Laden Sie es in den Optionen, oder: veristream models pull {1}',
  'The file of the language model {0} cannot be read': 'Die Datei des Sprachmodells {0} lässt sich nicht lesen.',
  'There is not enough memory for the language model {0}; close other programs or choose a smaller model':
    'Für das Sprachmodell {0} reicht der Speicher nicht. Schließen Sie andere Programme oder wählen Sie ein kleineres.',
  'The text is too long for the language model {0}': 'Der Text ist zu lang für das Sprachmodell {0}.',
  'The text is too long for the language model {0}, which reads {1} tokens at once':
    'Der Text ist zu lang für das Sprachmodell {0}, das {1} Tokens auf einmal liest.',
  'The language model did not answer within {0}': 'Das Sprachmodell antwortete nicht innerhalb von {0}.',
  'The language model gave an empty reply': 'Das Sprachmodell gab eine leere Antwort.',
  "The language model's reply was cut off after {0} tokens":
    'Die Antwort des Sprachmodells wurde nach {0} Tokens abgeschnitten.',
  'The language model needs Ollama, which is neither running nor installed (run: veristream doctor)':
    'Das Sprachmodell braucht Ollama, und das läuft nicht und ist nicht installiert (nachsehen: veristream doctor).',
  'The Ollama server dropped a part of what it was asked': 'Ollama ließ einen Teil dessen weg, was es gefragt wurde.',
  '{0} audits begin with "{1}"; give more of the number.': '{0} Prüfungen beginnen mit „{1}“.',
  "The language model's reply broke off": 'Die Antwort des Sprachmodells brach ab.',
  "The language model's reply is not JSON": 'Die Antwort des Sprachmodells ist kein JSON.',
  "The language model's reply is not in the form that was asked for":
    'Die Antwort des Sprachmodells hat nicht die verlangte Form.',
  'A request to the language model has a bad schema': 'Eine Frage an das Sprachmodell hat eine falsche Form.',
  // rules and documents
  'No reader of text in pictures is installed. Run: veristream models pull {0}':
    'Es ist kein Leser für Text in Bildern installiert. Laden Sie ihn in den Optionen, oder: veristream models pull {0}',
  'There is no {0} "{1}". Known are: {2}.{3}': '„{1}“ gibt es nicht ({0}). Bekannt sind: {2}.{3}',
  'The alignment {0} cannot be read.': 'Der Abgleich {0} lässt sich nicht lesen.',
  "The alignment {0} is not in this computer's record: it was changed since it was made, or made elsewhere. Run veristream align again.":
    'Der Abgleich {0} steht nicht im Protokoll dieses Rechners: Er wurde verändert oder anderswo gemacht. Machen Sie ihn neu: veristream align',
  '{0} is larger than any alignment.': '{0} ist größer als jeder Abgleich.',
  'The file is no alignment as veristream align --json writes it.':
    'Die Datei ist kein Abgleich, wie ihn veristream align --json schreibt.',
  'No installed text and no card has {0}.': 'Kein installierter Text und keine Karte hat {0}.',
  'Neither the installed text nor the cards of {0} have {1}.':
    'Weder der installierte Text noch die Karten von {0} haben {1}.',
  '{0}, and no card.': '{0}, und keine Karte.',
  '"{0}" is not a citation such as "16 CFR 255.5(a)" or "FINRA 2210(d)(1)(B)".':
    '„{0}“ ist keine Fundstelle wie „16 CFR 255.5(a)“ oder „FINRA 2210(d)(1)(B)“.',
  'There is no document "{0}". Run: veristream docs list': 'Die Unterlage „{0}“ gibt es nicht.',
  // what the look at this computer found
  'reads video and sound': 'liest Bild und Ton',
  'looks into files': 'sieht in Dateien hinein',
  'opens addresses; files need it not': 'öffnet Adressen; Dateien brauchen es nicht',
  'reads text on the screen': 'liest Text im Bild',
  'reads rule texts and documents in PDF': 'liest Regeltexte und Unterlagen als PDF',
  'runs embedder and reranker': 'führt Suche und Rangfolge aus',
  'runs the language model; without it findings are not judged':
    'führt das Sprachmodell aus; ohne es werden Befunde nicht beurteilt',
  'not installed': 'nicht installiert',
  '{0} does not run: {1}': '{0} läuft nicht: {1}',
  'the language eng is not installed': 'die Sprache eng ist nicht installiert',
  'the list of models cannot be read: {0}': 'die Liste der Modelle lässt sich nicht lesen: {0}',
  'the file of {0} is damaged': 'die Datei von {0} ist beschädigt',
  'running at {0}': 'läuft unter {0}',
  'not running; started from {0} when needed': 'läuft nicht; wird bei Bedarf aus {0} gestartet',
  'kept by Ollama as {0}': 'liegt bei Ollama als {0}',
  'the window plays H.264 and AAC': 'das Fenster spielt H.264 und AAC',
  "the window's player lacks {0}; audits do not need it":
    'dem Abspieler des Fensters fehlt {0}; Prüfungen brauchen es nicht',
  'in {0}': 'in {0}',
  'the free space cannot be asked for': 'der freie Platz lässt sich nicht erfragen',
  'the memory cannot be asked for': 'der Speicher lässt sich nicht erfragen',
  'the installed models need about {0}': 'die installierten Modelle brauchen etwa {0}',
  'with less than 8 GB, audits with the default models may be slow':
    'mit weniger als 8 GB können Prüfungen mit den üblichen Modellen langsam sein',
  'free some space, or set VERISTREAM_HOME to a folder on another disk':
    'Platz schaffen, oder VERISTREAM_HOME auf einen Ordner auf einem anderen Laufwerk setzen',
  'free some space: an hour of video takes up to 5 GB while it is worked on':
    'Platz schaffen: Eine Stunde Video braucht bis zu 5 GB, solange daran gearbeitet wird',
  'close other programs, or use a smaller model (veristream models list)':
    'andere Programme schließen oder ein kleineres Modell benutzen (veristream models list)',
  'build/setup, or install Ollama from its own site': 'build/setup, oder Ollama von seiner eigenen Seite installieren',
};
