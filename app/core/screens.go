package core

// useScreens picks the reader of screen text.
func (c *Core) useScreens() {}
