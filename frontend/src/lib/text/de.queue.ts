// Sätze der Warteschlange, des Speichers und der Korrekturen, auf Deutsch.
import type * as english from './en.queue';

const plural = (n: number, one: string, many: string) => `${n} ${n === 1 ? one : many}`;

export const batch: typeof english.batch = {
  title: 'Warteschlange',
  add: 'Viele hinzufügen…',
  sum: (works, waits, failed, done) =>
    [
      works ? `${works} in Arbeit` : '',
      waits ? `${waits} wartend` : '',
      failed ? `${failed} gescheitert` : '',
      done ? `${done} fertig` : '',
    ]
      .filter(Boolean)
      .join(' · '),
  fold: 'Zeilen der Warteschlange zeigen oder verbergen',
  clear: 'Beendete entfernen',
  states: {
    queued: 'Wartet',
    working: 'In Arbeit',
    done: 'Fertig',
    failed: 'Gescheitert',
    cancelled: 'Abgebrochen',
  },
  noFindings: 'keine Befunde',
  up: (title) => `Nach oben: ${title}`,
  down: (title) => `Nach unten: ${title}`,
  first: 'Als Nächstes',
  last: 'Ans Ende',
  cancel: 'Abbrechen',
  retry: 'Noch einmal',
  again: 'Erneut prüfen',
  remove: 'Von der Liste nehmen',
  admit: 'Trotzdem laden',
  choose: 'Videos wählen…',
  open: 'Prüfung öffnen',
  show: 'Verlauf zeigen',
  watching: (folder) => `Beobachtet: ${folder}`,
  unwatch: (folder) => `${folder} nicht mehr beobachten`,
  dialogTitle: 'Viele hinzufügen',
  lines: 'Dateien, Ordner und Adressen, je Zeile eine',
  linesHint:
    'Aus einem Ordner kommt jede Aufnahme darin und darunter in die Warteschlange. Was schon darin steht, wird übergangen.',
  files: 'Dateien wählen…',
  folder: 'Ordner wählen…',
  folderTitle: 'Einen Ordner mit Aufnahmen wählen',
  facts: 'Angaben',
  factsBeside: 'Die neben jeder Datei, sonst unbekannt',
  watch: 'Die Ordner auch beobachten: Neue Dateien darin werden geprüft, sobald sie vollständig sind',
  admitAll: 'Ohne Rückfrage laden, was über den Grenzen von Größe und Dauer liegt',
  go: 'Einreihen',
  added: (n) => `${plural(n, 'Prüfung wurde', 'Prüfungen wurden')} eingereiht.`,
  watched: (n) => `${plural(n, 'Ordner wird', 'Ordner werden')} beobachtet.`,
  passed: (n) => `${n} übergangen`,
  pickTitle: (n) => `Eine Liste mit ${plural(n, 'Video', 'Videos')}`,
  pickText: 'Welche davon sollen geprüft werden?',
  all: 'Alle',
  nothing: 'Keines',
  pickGo: (n) => `${n} einreihen`,
  looking: 'Die Seite wird gefragt…',
  over: (sentence) => `${sentence} Es wird nur geladen, wenn Sie es sagen.`,
};

export const storage: typeof english.storage = {
  title: 'Speicherplatz',
  kinds: {
    copies: 'Abspielkopien',
    sound: 'Ton',
    pictures: 'Bilder',
    downloads: 'Geladene Videos',
    temporary: 'Vorübergehendes',
    models: 'Modelle',
    database: 'Datenbank',
  },
  what: {
    copies: 'von Videos, die der Player nicht abspielen kann',
    sound: 'aus Videos herausgenommen, für Sprache und Wellenform',
    pictures: 'für Zeitleiste, Bibliothek und Berichte',
    downloads: 'Videos von Adressen; der Player braucht sie',
    temporary: 'von Prüfungen in Arbeit',
    models: 'für Sprache, Suche und Beurteilung',
    database: 'Prüfungen, Abschriften, Entscheidungen, Regeln',
  },
  clean: (kind) => `Löschen: ${kind}`,
  cleanShort: 'Löschen',
  freed: (size) => `${size} frei geworden.`,
  quota: 'Grenze des Zwischenspeichers',
  none: 'Keine Grenze',
  sum: (cache, free) => `Der Zwischenspeicher belegt ${cache}; auf dem Datenträger sind ${free} frei.`,
  hint: 'Was hier gelöscht werden kann, wird bei Bedarf neu gemacht oder neu geladen. Über der Grenze geht das Älteste zuerst, geladene Videos zuletzt, und nie, was eine laufende Prüfung braucht. Ihre eigenen Dateien bleiben unberührt.',
};

export const correct: typeof english.correct = {
  edit: (line) => `Korrigieren: ${line}`,
  label: 'Die richtigen Wörter',
  save: 'Sichern',
  strike: 'Streichen',
  machine: 'Wie die Maschine es hat',
  by: (who, when) => `korrigiert von ${who}, ${when}`,
  struck: (who, when) => `gestrichen von ${who}, ${when}`,
  was: (words) => `Die Maschine hat: „${words}“`,
  waits: 'noch nicht geprüft',
  pending: (n) => `${plural(n, 'Korrektur ist', 'Korrekturen sind')} noch nicht geprüft.`,
  again: 'Erneut prüfen',
};
