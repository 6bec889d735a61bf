package media

import (
	"errors"
	"net/url"
	"regexp"
)

// ErrList is in the chain of an error about an address that is a list of videos.
var ErrList = errors.New("a list of videos")

// reList fits the paths of lists: playlists, channels and users with nothing or
// a tab behind their name, albums and sets.
var reList = regexp.MustCompile(`^/(playlist$|(channel|c|user)/[^/]+(/\w+)?/?$|@[^/]+(/(videos|shorts|streams|live|featured))?/?$|.*/(sets|albums?|showcase|playlists?)/)`)

// LooksLikeList guesses from an address whether it is one of a list, so that
// only such a one is asked about before it is fetched. It may be wrong: the site
// decides.
func LooksLikeList(address string) bool {
	u, err := url.Parse(address)
	if err != nil || IsDirect(address) {
		return false
	}
	return (u.Query().Get("list") != "" && u.Query().Get("v") == "") || reList.MatchString(u.Path)
}
