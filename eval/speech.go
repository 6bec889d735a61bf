package eval

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"math"
	"os/exec"
	"strings"
	"unicode"

	"veristream/backend/wav"
)

// speechText is what the benches' voices say: invented, without figures and
// abbreviations, which a recogniser may write in either way.
var speechText = []string{
	"Good morning and welcome to another look at the markets.",
	"Today we talk about bonds, about shares, and about the difference between saving and investing.",
	"A bond is a loan that you make to a company or to a government.",
	"In return you receive interest, and at the end you get your money back, unless the borrower fails.",
	"A share is a small piece of a company, and its price can rise or fall every day.",
	"Nobody knows what the market will do tomorrow, and anybody who says so is guessing.",
	"Spread your money over many companies, so that one failure does not hurt you too much.",
	"Fees matter more than most people think, because they are paid every year.",
	"If a stranger promises that you cannot lose, walk away and keep your savings.",
	"Past results tell you what happened, and they do not tell you what will happen.",
	"Before you buy anything, read the prospectus and ask what could go wrong.",
	"Keep enough cash for an emergency, and only invest what you will not need soon.",
	"My neighbor asked me last week whether gold was a safe place for her pension.",
	"I told her that gold pays no interest, and that its price has halved more than once.",
	"She had seen an advertisement that called it the only money that never fails.",
	"Claims like that sound strong because they leave out everything that could go wrong.",
	"A broker earns a commission when you trade, so trading often is good for the broker.",
	"An adviser who is paid by the hour has no reason to sell you anything.",
	"Ask anyone who recommends a product how they are paid, and ask for the answer in writing.",
	"The company behind this video sent me the account for free, and I want you to know that.",
	"Interest on a savings account can change at any time, and the bank does not have to warn you.",
	"Deposit insurance covers the bank, and it does not cover the fund that the bank sells you.",
	"When rates go up, the price of an old bond goes down, and long bonds fall the most.",
	"That surprised many families who believed that a bond fund could never lose money.",
	"Options can expire worthless, and then the whole amount that you paid is gone.",
	"Borrowing to invest makes good years better and bad years much worse.",
	"A lender may sell your shares without asking when their value falls too far.",
	"Our method looks at earnings, at debt, and at how honest the managers have been.",
	"We tested the method on old prices, and nobody has ever earned those returns.",
	"A test on old prices always looks good, because the losers were thrown away first.",
	"The chart behind me begins in a spring when everything was cheap, so it flatters us.",
	"If it began one summer earlier, the line would hardly rise at all.",
	"Taxes are not in the chart either, and neither are the costs of buying and selling.",
	"Write down why you buy something, and read it again before you sell.",
	"Most people sell after a fall, because they are afraid, and buy after a rise, because they are not.",
	"A plan that you can keep is worth more than a perfect plan that you abandon.",
	"Credit cards are the most expensive way to borrow, and the easiest one to begin.",
	"Paying only the smallest amount each month means that you will pay for many years.",
	"The first offer is often free for a season, and the real price starts in the autumn.",
	"Look for the small letters at the bottom of the screen, because the limits stand there.",
	"A loan on your house is cheaper, but if you cannot pay, you may lose your home.",
	"Compare the yearly cost of every offer, and ignore the size of the monthly payment.",
	"A digital coin has no earnings and no debt, so its price is only what others will pay.",
	"Somebody on the internet will tell you that this time everything is different.",
	"They may be right, but they will not give you your money back if they are wrong.",
	"Never give a password or a code to a person who calls you on the telephone.",
	"Real banks do not ask you to move your money into a safe account.",
	"Teach your children to wait a day before they spend anything they found in their pocket.",
	"The simplest portfolio holds the whole world and costs almost nothing.",
	"It will never be the best one, and it will never be the worst one either.",
	"Thank you for listening, and we will speak again next week.",
}

// spoken is a text that was said, with the times of its words.
type spoken struct {
	lines []string
	words []spokenWord
}

type spokenWord struct {
	Text  string `json:"text"`
	Start int64  `json:"start_ms"`
	End   int64  `json:"end_ms"`
}

//go:embed speech/speak.py
var speakScript string

// speak writes speech of about a length, beginning with one of the sentences,
// and gives its words with the times that the synthesiser itself tells.
func speak(ctx context.Context, out, voice string, speed, first int, lengthMS int64) (spoken, error) {
	var s spoken
	var pauses []int
	// Letters tell how long it will take well enough: 15 a second at 150 words a minute.
	// So short a pause is no silence to cut at, and it is hardest for the times of words.
	const pause = 300
	for ms, i := int64(0), first; ms < lengthMS; i++ {
		line := speechText[i%len(speechText)]
		s.lines, pauses = append(s.lines, line), append(pauses, pause)
		ms += int64(pause) + int64(len(line))*1000*150/(15*int64(speed))
	}
	order, err := json.Marshal(map[string]any{"voice": voice, "rate": speed, "lines": s.lines, "pauses_ms": pauses})
	if err != nil {
		return s, fmt.Errorf("speak: %w", err)
	}
	raw := out + ".raw.wav"
	cmd := exec.CommandContext(ctx, "python3", "-c", speakScript, raw)
	var told, msg bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(order), &told, &msg
	if err := cmd.Run(); err != nil {
		return s, fmt.Errorf("speak with espeak-ng's library: %w: %s", err, msg.String())
	}
	if err := json.Unmarshal(told.Bytes(), &s.words); err != nil {
		return s, fmt.Errorf("read the times of words: %w", err)
	}
	return s, ffmpeg(ctx, "-i", raw, "-ar", "16000", "-ac", "1", "-c:a", "pcm_s16le", out)
}

func ffmpeg(ctx context.Context, args ...string) error {
	args = append([]string{"-nostdin", "-v", "error", "-y"}, args...)
	if msg, err := exec.CommandContext(ctx, "ffmpeg", args...).CombinedOutput(); err != nil {
		return fmt.Errorf("ffmpeg: %w: %s", err, msg)
	}
	return nil
}

// noises are ffmpeg sources of what is mixed under speech.
var noises = map[string]string{
	"white": "anoisesrc=c=white:r=16000:a=0.2:seed=1",
	"pink":  "anoisesrc=c=pink:r=16000:a=0.5:seed=1",
	// Two voices of plucked tones over a beat.
	"music": "aevalsrc='0.2*(sin(2*PI*220*pow(2,floor(mod(t*2,8))/12)*t)+sin(2*PI*330*pow(2,floor(mod(t*3,5))/12)*t))*" +
		"(0.3+0.7*exp(-4*mod(t,0.5)))+0.3*(random(0)-0.5)*exp(-30*mod(t,0.5))':s=16000",
}

// mix writes a recording with noise under it, so many dB below the speech: the
// power of the speech is taken where words are said, not in the pauses.
func mix(ctx context.Context, said spoken, in, out, noise string, snr float64) error {
	speech, err := readSamples(in)
	if err != nil {
		return err
	}
	file := out + ".noise.wav"
	seconds := float64(len(speech))/wav.Rate + 1
	if err := ffmpeg(ctx, "-f", "lavfi", "-i", noises[noise], "-t", fmt.Sprint(seconds), "-ar", "16000", "-ac", "1", "-c:a", "pcm_s16le", file); err != nil {
		return err
	}
	under, err := readSamples(file)
	if err != nil {
		return err
	}
	var power, n float64
	for _, w := range said.words {
		for _, v := range speech[w.Start*wav.Rate/1000 : min(int64(len(speech)), w.End*wav.Rate/1000)] {
			power += float64(v) * float64(v)
			n++
		}
	}
	var noisePower float64
	for _, v := range under {
		noisePower += float64(v) * float64(v)
	}
	gain := math.Sqrt(power / n / (noisePower / float64(len(under))) / math.Pow(10, snr/10))
	// Half of full volume leaves room for the sum.
	for i := range speech {
		speech[i] = int16(max(-32768, min(32767, 0.5*(float64(speech[i])+gain*float64(under[i])))))
	}
	return wav.Write(out, wav.Rate, speech)
}

func readSamples(path string) ([]int16, error) {
	r, err := wav.Open(path)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return r.ReadMS(0, r.DurationMS()+1)
}

func plainWords(text string) []string {
	text = strings.ReplaceAll(strings.ToLower(text), "’", "'")
	return strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\'' })
}
