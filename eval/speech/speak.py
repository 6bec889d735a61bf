"""Speaks lines with espeak-ng and tells when each word is said.

Standard input: {"voice", "rate", "lines": [...], "pauses_ms": [...]} as JSON; a pause stands before each line.
Argument: the WAV file to write. Standard output: [{"text", "start_ms", "end_ms"}], one a word.

The command of espeak-ng does not tell times, its library does, as events along with the samples.
"""

import ctypes
import json
import sys
import wave

RETRIEVAL = 1  # samples come to the callback instead of a loudspeaker
WORD, END = 1, 5  # types of events
RATE, UTF8 = 1, 1


class Event(ctypes.Structure):
    _fields_ = [
        ("type", ctypes.c_int), ("unique", ctypes.c_uint), ("position", ctypes.c_int), ("length", ctypes.c_int),
        ("ms", ctypes.c_int), ("sample", ctypes.c_int), ("user", ctypes.c_void_p), ("id", ctypes.c_char * 8),
    ]


def main():
    order = json.load(sys.stdin)
    lib = ctypes.CDLL("libespeak-ng.so.1")
    rate = lib.espeak_Initialize(RETRIEVAL, 0, None, 0)
    if rate <= 0:
        sys.exit("espeak-ng cannot be prepared")
    if lib.espeak_SetVoiceByName(order["voice"].encode()) != 0:
        sys.exit("espeak-ng has no voice " + order["voice"])
    lib.espeak_SetParameter(RATE, order["rate"], 0)

    sound, marks = bytearray(), []

    @ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_short), ctypes.c_int, ctypes.POINTER(Event))
    def take(samples, count, events):
        if samples and count > 0:
            sound.extend(ctypes.string_at(samples, 2 * count))
        i = 0
        while events[i].type != 0:
            e = events[i]
            if e.type in (WORD, END):
                marks.append((e.type, e.position, e.length, e.sample))
            i += 1
        return 0

    lib.espeak_SetSynthCallback(take)
    out, words = bytearray(), []
    for line, pause in zip(order["lines"], order["pauses_ms"]):
        out.extend(bytes(2 * (rate * pause // 1000)))
        begin = len(out) // 2
        sound.clear()
        marks.clear()
        text = line.encode()
        if lib.espeak_Synth(text, len(text) + 1, 0, 1, 0, UTF8, None, None) != 0:
            sys.exit("espeak-ng failed")
        lib.espeak_Synchronize()
        out.extend(sound)
        last = len(sound) // 2
        for i, (kind, position, length, sample) in enumerate(marks):
            if kind != WORD or length == 0:
                continue
            end = marks[i + 1][3] if i + 1 < len(marks) else last
            words.append({
                "text": line[position - 1:position - 1 + length],
                "start_ms": (begin + sample) * 1000 // rate, "end_ms": (begin + max(sample, end)) * 1000 // rate,
            })
    with wave.open(sys.argv[1], "wb") as f:
        f.setnchannels(1)
        f.setsampwidth(2)
        f.setframerate(rate)
        f.writeframes(bytes(out))
    json.dump(words, sys.stdout)


main()
