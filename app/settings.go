package app

import (
	"context"
	"fmt"
	"os/user"
	"slices"
	"strings"

	"veristream/backend/audit"
)

// SettingsService keeps how a person likes the window, and says what is
// installed.
type SettingsService struct {
	ctx       context.Context
	prefs     *prefs
	inspector Inspector
	network   Switch
	about     About
}

const settingsFile = "settings.json"

// Get gives the settings, with defaults for what was never set.
func (s *SettingsService) Get() (Settings, error) { return loadSettings(s.prefs) }

// LoadSettings reads the settings of the window that keeps its files in dir.
func LoadSettings(dir string) (Settings, error) { return loadSettings(&prefs{dir: dir}) }

func loadSettings(p *prefs) (Settings, error) {
	set := Settings{}
	if err := p.load(settingsFile, &set); err != nil {
		return Settings{}, fmt.Errorf("read the settings: %w", err)
	}
	if set.Theme == "" {
		set.Theme = "system"
	}
	if set.Language == "" {
		set.Language = "en"
	}
	if set.Zoom == 0 {
		set.Zoom = 100
	}
	if set.Reviewer == "" {
		set.Reviewer = accountName()
	}
	if set.Acting == "" {
		set.Acting = ActingPreparer
	}
	if set.Keys == nil {
		set.Keys = map[string]string{}
	}
	if set.Profiles == nil {
		set.Profiles = []Profile{}
	}
	return set, nil
}

// Set keeps the settings.
func (s *SettingsService) Set(set Settings) error {
	if !slices.Contains([]string{"system", "light", "dark"}, set.Theme) {
		return audit.Errorf(audit.CodeUsage, "The theme cannot be %q.", set.Theme)
	}
	if !slices.Contains([]string{"en", "de"}, set.Language) {
		return audit.Errorf(audit.CodeUsage, "The language cannot be %q.", set.Language)
	}
	set.Zoom = min(200, max(80, set.Zoom))
	if set.Approver != "" && samePerson(set.Approver, set.Reviewer) {
		return audit.Errorf(audit.CodeUsage, "Preparer and approver may not be the same person.")
	}
	if set.Acting == ActingApprover && set.Approver == "" {
		return audit.Errorf(audit.CodeUsage, "Name the approver before working as one.")
	}
	return s.prefs.save(settingsFile, set)
}

// About says what this program is.
func (s *SettingsService) About() About { return s.about }

// Inspect says what is installed and what is missing.
func (s *SettingsService) Inspect() []Installed {
	if s.inspector == nil {
		return []Installed{}
	}
	return s.inspector.Inspect(s.ctx)
}

// Network says whether downloads are allowed.
func (s *SettingsService) Network() (Network, error) {
	if s.network == nil {
		return Network{}, nil
	}
	n, err := s.network.Network(s.ctx)
	if err != nil {
		return Network{}, fmt.Errorf("read the network switch: %w", err)
	}
	return n, nil
}

// SetOffline switches all downloads off, or on again.
func (s *SettingsService) SetOffline(off bool) error {
	if s.network == nil {
		return audit.Errorf(audit.CodeUsage, "The network cannot be switched here.")
	}
	if err := s.network.SetOffline(s.ctx, off); err != nil {
		return fmt.Errorf("keep the network switch: %w", err)
	}
	return nil
}

func (s *SettingsService) reviewer() string {
	set, err := s.Get()
	if err != nil {
		return accountName()
	}
	if set.Acting == ActingApprover && set.Approver != "" {
		return set.Approver
	}
	return set.Reviewer
}

// Who sits at the window.
const (
	ActingPreparer = "preparer"
	ActingApprover = "approver"
)

// samePerson compares names as people read them: case and spaces make nobody
// another person.
func samePerson(a, b string) bool {
	fold := func(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }
	return fold(a) == fold(b)
}

// accountName is the name of the person at this computer, as it knows it.
func accountName() string {
	u, err := user.Current()
	switch {
	case err != nil:
		return "reviewer"
	case u.Name != "":
		return u.Name
	}
	return u.Username
}
