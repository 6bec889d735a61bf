package models

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// whisperTokens is the number of tokens that stand for text in every Whisper
// vocabulary, "<|endoftext|>" included; the special tokens behind them are not
// part of a ggml file.
const whisperTokens = 50257

// readVocabulary gives the bytes of each text token from whichever of the
// three files CTranslate2 models carry: tokenizer.json, vocabulary.json or
// vocabulary.txt.
func readVocabulary(dir string) ([][]byte, error) {
	words, err := vocabularyWords(dir)
	if err != nil {
		return nil, fmt.Errorf("read vocabulary: %w", err)
	}
	if len(words) > whisperTokens {
		words = words[:whisperTokens]
	}
	alphabet := byteAlphabet()
	out := make([][]byte, len(words))
	for i, w := range words {
		for _, r := range w {
			b, ok := alphabet[r]
			if !ok {
				return nil, fmt.Errorf("read vocabulary: token %d (%q) is not of a byte-level vocabulary", i, w)
			}
			out[i] = append(out[i], b)
		}
	}
	return out, nil
}

func vocabularyWords(dir string) ([]string, error) {
	data, err := os.ReadFile(filepath.Join(dir, "tokenizer.json"))
	if err == nil {
		var tok struct {
			Model struct {
				Vocab map[string]int `json:"vocab"`
			} `json:"model"`
		}
		if err := json.Unmarshal(data, &tok); err != nil {
			return nil, fmt.Errorf("tokenizer.json: %w", err)
		}
		words := make([]string, min(whisperTokens, len(tok.Model.Vocab)))
		for w, i := range tok.Model.Vocab {
			if i >= 0 && i < len(words) {
				words[i] = w
			}
		}
		return words, nil
	}
	if data, err = os.ReadFile(filepath.Join(dir, "vocabulary.json")); err == nil {
		var words []string
		if err := json.Unmarshal(data, &words); err != nil {
			return nil, fmt.Errorf("vocabulary.json: %w", err)
		}
		return words, nil
	}
	if data, err = os.ReadFile(filepath.Join(dir, "vocabulary.txt")); err == nil {
		return strings.Split(strings.TrimSuffix(string(data), "\n"), "\n"), nil
	}
	return nil, errors.New("there is no tokenizer.json, vocabulary.json or vocabulary.txt")
}

// byteAlphabet undoes the mapping of GPT-2's byte-level tokens: printable
// bytes stand for themselves, the 68 others for the code points from 256 on.
func byteAlphabet() map[rune]byte {
	m := make(map[rune]byte, 256)
	next := rune(256)
	for b := range 256 {
		switch {
		case b >= 33 && b <= 126, b >= 161 && b <= 172, b >= 174:
			m[rune(b)] = byte(b)
		default:
			m[next] = byte(b)
			next++
		}
	}
	return m
}
