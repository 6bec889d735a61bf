package sign

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/asn1"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"time"

	"veristream/backend/audit"
)

// stampInfo is the inside of a time-stamp token (RFC 3161, 2.4.2), as far as it
// is read here.
type stampInfo struct {
	Version int
	Policy  asn1.ObjectIdentifier
	Imprint struct {
		Hash struct {
			Algorithm  asn1.ObjectIdentifier
			Parameters asn1.RawValue `asn1:"optional"`
		}
		Sum []byte
	}
	Serial   *big.Int
	Time     time.Time `asn1:"generalized"`
	Accuracy struct {
		Seconds int `asn1:"optional"`
		Millis  int `asn1:"optional,tag:0"`
		Micros  int `asn1:"optional,tag:1"`
	} `asn1:"optional"`
	Ordering bool          `asn1:"optional"`
	Nonce    *big.Int      `asn1:"optional"`
	TSA      asn1.RawValue `asn1:"optional,tag:0"`
	Extra    asn1.RawValue `asn1:"optional,tag:1"`
}

// readStamp reads and checks a time stamp over the signature's value.
func (s *Signature) readStamp(signer *signerInfo) error {
	attributes, err := readAttributes(signer.Unsigned.Bytes)
	if err != nil {
		return err
	}
	token := attributes[oidTimeStamp.String()]
	if token == nil {
		return nil
	}
	info, stamp, err := openStamp(token)
	if err != nil {
		return fmt.Errorf("check the time stamp: %w", err)
	}
	hash, ok := hashes[info.Imprint.Hash.Algorithm.String()]
	if !ok {
		return errors.New("the time stamp uses a digest that is not trusted")
	}
	h := hash.New()
	h.Write(signer.Value)
	if !bytes.Equal(h.Sum(nil), info.Imprint.Sum) {
		return errors.New("the time stamp is over another signature")
	}
	s.Stamped, s.Stamp = info.Time.UTC(), stamp.Certificate
	return nil
}

func openStamp(token []byte) (*stampInfo, *Signature, error) {
	var info stampInfo
	s, _, err := check(token, func(e encapsulated) ([]byte, error) {
		var content []byte
		if _, err := asn1.Unmarshal(e.Content.Bytes, &content); err != nil {
			return nil, errors.New("the time stamp is empty")
		}
		if _, err := asn1.Unmarshal(content, &info); err != nil {
			return nil, fmt.Errorf("read the time stamp: %w", err)
		}
		return content, nil
	}, oidTSTInfo, false)
	return &info, s, err
}

// StampFrom asks a time-stamp server of the user's own. It is the only network
// call of this package, and it is made only when a person gave the address.
func StampFrom(ctx context.Context, client *http.Client, address string) Stamper {
	return func(digest []byte) ([]byte, error) {
		nonce, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 63))
		if err != nil {
			return nil, fmt.Errorf("make a nonce: %w", err)
		}
		number, err := asn1.Marshal(nonce)
		if err != nil {
			return nil, fmt.Errorf("write the nonce: %w", err)
		}
		body := der(tagSequence, der(tagInteger, []byte{1}),
			der(tagSequence, der(tagSequence, derOID(oidSHA256), der(tagNull)), der(tagOctets, digest)),
			number, der(tagBoolean, []byte{0xFF}))
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
		if err != nil {
			return nil, audit.Wrap(err, audit.CodeUsage, "%q is no address of a time-stamp server.", address)
		}
		req.Header.Set("Content-Type", "application/timestamp-query")
		resp, err := client.Do(req)
		if err != nil {
			return nil, audit.Wrap(err, audit.CodeNetwork, "The time-stamp server does not answer.")
		}
		defer resp.Body.Close()
		data, err := io.ReadAll(io.LimitReader(resp.Body, 1<<20))
		if err != nil || resp.StatusCode != http.StatusOK {
			return nil, audit.Wrap(errors.Join(err, errors.New(resp.Status)), audit.CodeNetwork, "The time-stamp server refused.")
		}
		return readReply(data, digest, nonce)
	}
}

func readReply(data, digest []byte, nonce *big.Int) ([]byte, error) {
	var reply struct {
		Status struct {
			Code int
			Text asn1.RawValue  `asn1:"optional"`
			Fail asn1.BitString `asn1:"optional"`
		}
		Token asn1.RawValue `asn1:"optional"`
	}
	if _, err := asn1.Unmarshal(data, &reply); err != nil || reply.Status.Code > 1 || len(reply.Token.FullBytes) == 0 {
		return nil, audit.Wrap(err, audit.CodeNetwork, "The time-stamp server gave no time stamp.")
	}
	info, _, err := openStamp(reply.Token.FullBytes)
	if err != nil {
		return nil, audit.Wrap(err, audit.CodeNetwork, "The time-stamp server's answer cannot be used.")
	}
	if !bytes.Equal(info.Imprint.Sum, digest) || info.Nonce == nil || info.Nonce.Cmp(nonce) != 0 {
		return nil, audit.Errorf(audit.CodeNetwork, "The time-stamp server answered another question.")
	}
	return reply.Token.FullBytes, nil
}
