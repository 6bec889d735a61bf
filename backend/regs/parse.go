package regs

// Options are what the caller knows of a file that the file may not tell.
type Options struct {
	Name      string // file name or address
	Regulator string
	CFRTitle  int
	AsOf      string // YYYY-MM-DD
}
