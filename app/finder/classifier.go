package finder

import (
	"veristream/backend/audit"
	"veristream/backend/infer"
)

// Classifier finds the classifier of sentences in a folder. It shares the
// process's onnxruntime with the models of the search.
func (f *Finder) Classifier(dir string) (*infer.Classifier, error) {
	if f.runtime == nil {
		return nil, audit.Errorf(audit.CodeMissing, "onnxruntime is not installed. Run build/setup.")
	}
	if _, err := f.runtime.Library(); err != nil {
		return nil, err
	}
	return f.runtime.Classifier(dir)
}
