package report

// german has the report's words in German; English is the key.
var german = map[string]string{}
