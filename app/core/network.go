package core

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"veristream/app/dirs"
	"veristream/backend/audit"
	"veristream/backend/store"
)

// OfflineVariable is the environment variable that switches the network off,
// whatever the settings say.
const OfflineVariable = "VERISTREAM_OFFLINE"

// offlineSetting is the same switch in the database, for the command line and
// the window.
const offlineSetting = "offline"

// Network says whether downloads are allowed. Audits need none; the switch is
// for those who must be sure.
type Network struct {
	Offline bool   `json:"offline"`
	By      string `json:"by,omitempty"` // what switched it off: settings or VERISTREAM_OFFLINE
}

// ReadNetwork gives the state of the switch. A nil store stands for a database
// that is not there yet.
func ReadNetwork(ctx context.Context, st *store.Store) (Network, error) {
	if offlineByVariable() {
		return Network{Offline: true, By: OfflineVariable}, nil
	}
	if st == nil {
		return Network{}, nil
	}
	off := false
	if _, err := st.Setting(ctx, offlineSetting, &off); err != nil {
		return Network{}, fmt.Errorf("read the network switch: %w", err)
	}
	if off {
		return Network{Offline: true, By: "settings"}, nil
	}
	return Network{}, nil
}

// SetOffline keeps the switch.
func SetOffline(ctx context.Context, st *store.Store, off bool) error {
	if err := st.SetSetting(ctx, offlineSetting, off); err != nil {
		return fmt.Errorf("keep the network switch: %w", err)
	}
	return nil
}

// Online refuses what needs the network while it is switched off; what is the
// end of a sentence, such as "no model is fetched".
func Online(ctx context.Context, st *store.Store, what string) error {
	n, err := ReadNetwork(ctx, st)
	switch {
	case err != nil:
		return err
	case !n.Offline:
		return nil
	case n.By == OfflineVariable:
		return audit.Errorf(audit.CodeNetwork, "The network is switched off (%s is set), so %s.", OfflineVariable, what)
	}
	return audit.Errorf(audit.CodeNetwork, "The network is switched off in the settings (veristream settings offline off switches it on), so %s.", what)
}

// OnlineAt is Online for who has no database open. It makes none.
func OnlineAt(ctx context.Context, d dirs.Dirs, what string) error {
	if _, err := os.Stat(d.Database()); errors.Is(err, fs.ErrNotExist) || offlineByVariable() {
		return Online(ctx, nil, what)
	}
	st, err := store.Open(ctx, d.Database())
	if err != nil {
		return fmt.Errorf("look whether the network is switched off: %w", err)
	}
	return errors.Join(Online(ctx, st, what), st.Close())
}

// offlineByVariable takes everything for yes that is not plainly no: who sets
// the variable wants to be sure.
func offlineByVariable() bool {
	switch strings.ToLower(strings.TrimSpace(os.Getenv(OfflineVariable))) {
	case "", "0", "no", "off", "false":
		return false
	}
	return true
}
