package media

import (
	"regexp"

	"veristream/backend/audit"
)

// downloadFailures tell what yt-dlp's words mean for the user; the first that
// fits is told.
var downloadFailures = []struct {
	words    *regexp.Regexp
	code     audit.Code
	sentence string
}{
	{
		regexp.MustCompile(`(?i)no space left on device`), audit.CodeStorage,
		"The disk is full. Free some space and try again; the download goes on where it stopped.",
	},
	{
		regexp.MustCompile(`(?i)private video|video is private|members[- ]only|only available to .*(members|subscribers)|this (account|post) is private`), audit.CodeInput,
		"The video is private: only its owner's chosen viewers can see it. Ask for the file.",
	},
	{
		regexp.MustCompile(`(?i)not (made )?(this video )?available in your (country|region|location)|geo.?restrict|blocked .* in your country`), audit.CodeInput,
		"The video is not available in your region. Ask for the file.",
	},
	{
		regexp.MustCompile(`(?i)sign in|log ?in (is )?required|requires? (login|authentication)|use --cookies|confirm your age|age.restricted|http error 401`), audit.CodeInput,
		"The site shows this video only to people who are signed in. Ask for the file.",
	},
	{
		regexp.MustCompile(`(?i)http error 429|too many requests|rate.?limit`), audit.CodeNetwork,
		"The site says that there were too many requests. Wait a while and try again.",
	},
	{
		regexp.MustCompile(`(?i)video unavailable|has been removed|no longer available|account .*(terminated|suspended)|does not exist|http error (404|410)`), audit.CodeInput,
		"There is no video at this address: it was removed, or the address is wrong.",
	},
	{
		regexp.MustCompile(`(?i)http error 403|forbidden`), audit.CodeNetwork,
		"The site refuses to send this video (403). A newer yt-dlp may help, or ask for the file.",
	},
	{
		regexp.MustCompile(`(?i)name or service not known|temporary failure in name resolution|failed to resolve|nodename nor servname|no address associated|network is unreachable|no route to host|connection refused|connection (was )?reset|timed? ?out|remote end closed`), audit.CodeNetwork,
		"The site cannot be reached. Check the network and the address.",
	},
	{
		regexp.MustCompile(`(?i)http error 5\d\d|bad gateway|service unavailable`), audit.CodeNetwork,
		"The site has trouble of its own. Try again later.",
	},
	{
		regexp.MustCompile(`(?i)bytes read, .* more expected|did not get any data blocks|content too short|incomplete`), audit.CodeNetwork,
		"The download broke off. Try again: it goes on where it stopped.",
	},
	{
		regexp.MustCompile(`(?i)requested format is not available|no video formats found`), audit.CodeInput,
		"There is no video at this address in a form that can be downloaded.",
	},
	{
		regexp.MustCompile(`(?i)unsupported url|no video could be found`), audit.CodeInput,
		"No video was found at this address.",
	},
	{
		regexp.MustCompile(`(?i)drm`), audit.CodeInput,
		"The video is protected against copying. Ask its maker for an open copy.",
	},
	{
		regexp.MustCompile(`(?i)unable to extract|signature extraction failed|nsig|confirm you are on the latest version|player response`), audit.CodeNetwork,
		"yt-dlp does not understand this site any more: it is probably too old. Update it and try again.",
	},
}
