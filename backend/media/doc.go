// Package media owns what VeriStream takes out of a file: what is in it, its
// digest, its sound as 16 kHz mono PCM, its frames, stills for evidence, peaks
// and thumbnails for the timeline, a copy that the window can play, the text of
// subtitle and transcript files, and files brought by yt-dlp from an address.
//
// ffmpeg and ffprobe do the work, as children that never outlive their task.
// Whatever is wrong with a file becomes one sentence (an audit.Error); a tool's
// own words stand behind it as details. Nothing is ever written beside the
// user's file.
//
// # Time
//
// Time 0 is the presentation time of the first video frame; in a file without a
// picture, that of the first audio sample. ProbeInfo.Zero holds it in the
// container's clock, and every function here takes it off: sound that begins
// before the picture is cut, sound that begins after it is padded.
//
// # Paths
//
// Paths go to ffmpeg behind "file:", so that a leading dash is no option, a
// colon no protocol, and a percent sign no pattern. Only the protocols file and
// pipe are allowed, so a playlist that poses as a video cannot open a socket.
package media
