package sign

import (
	"crypto"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/crypto/scrypt"

	"veristream/backend/audit"
)

// Keeper keeps one identity in a folder: the key encrypted under a passphrase,
// or, where there is none, under a secret that lies beside it. The secret keeps
// a copied or synchronised key file useless by itself; it does not keep out
// someone who can read the whole folder. All files are the owner's alone.
type Keeper struct {
	Dir        string
	Passphrase string
}

// kept is the file of an identity.
type kept struct {
	Version     int      `json:"version"`
	Certificate []byte   `json:"certificate"`
	Chain       [][]byte `json:"chain,omitempty"`
	KDF         string   `json:"kdf"`
	N           int      `json:"n"`
	R           int      `json:"r"`
	P           int      `json:"p"`
	Salt        []byte   `json:"salt"`
	Nonce       []byte   `json:"nonce"`
	Key         []byte   `json:"key"` // PKCS#8, AES-256-GCM
	Passphrase  bool     `json:"passphrase"`
}

const (
	identityFile = "identity.json"
	secretFile   = "identity.secret"

	scryptN, scryptR, scryptP = 1 << 15, 8, 1
	mostScryptN               = 1 << 20 // a file may not ask for more memory than this takes
)

// ErrNone says that no identity was made yet.
var ErrNone = errors.New("there is no identity yet")

// Load reads the identity.
func (k Keeper) Load() (*Identity, error) {
	data, err := os.ReadFile(filepath.Join(k.Dir, identityFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNone
	}
	if err != nil {
		return nil, audit.Wrap(err, audit.CodeStorage, "The identity in %s cannot be read.", k.Dir)
	}
	var f kept
	if err := json.Unmarshal(data, &f); err != nil || f.Version != 1 || f.N <= 0 || f.N > mostScryptN || f.R != scryptR || f.P != scryptP {
		return nil, audit.Wrap(err, audit.CodeStorage, "The identity file in %s is damaged or from a newer version.", k.Dir)
	}
	if f.Passphrase && k.Passphrase == "" {
		return nil, audit.Errorf(audit.CodeUsage, "The identity has a passphrase; give it in the environment variable VERISTREAM_PASSPHRASE.")
	}
	secret, err := k.secret(f.Passphrase, false)
	if err != nil {
		return nil, err
	}
	gcm, err := cipherOf(secret, f.Salt, f.N)
	if err != nil {
		return nil, err
	}
	if len(f.Nonce) != gcm.NonceSize() {
		return nil, audit.Errorf(audit.CodeStorage, "The identity file in %s is damaged.", k.Dir)
	}
	raw, err := gcm.Open(nil, f.Nonce, f.Key, f.Certificate)
	if err != nil {
		return nil, audit.Errorf(audit.CodeUsage, "The identity's key cannot be opened: the passphrase is wrong, or its files were changed.")
	}
	return decode(raw, f)
}

func decode(raw []byte, f kept) (*Identity, error) {
	key, err := x509.ParsePKCS8PrivateKey(raw)
	if err != nil {
		return nil, fmt.Errorf("read the key: %w", err)
	}
	signer, ok := key.(crypto.Signer)
	if !ok {
		return nil, audit.Errorf(audit.CodeStorage, "The identity's key cannot sign.")
	}
	id := &Identity{Key: signer}
	if id.Certificate, err = x509.ParseCertificate(f.Certificate); err != nil {
		return nil, fmt.Errorf("read the certificate: %w", err)
	}
	for _, c := range f.Chain {
		cert, err := x509.ParseCertificate(c)
		if err != nil {
			return nil, fmt.Errorf("read a certificate of the chain: %w", err)
		}
		id.Chain = append(id.Chain, cert)
	}
	return id, nil
}

// Save keeps an identity in the place of the one before it, which stays as a
// copy: files that it signed can then still be told to be one's own.
func (k Keeper) Save(id *Identity) error {
	if err := os.MkdirAll(k.Dir, 0o700); err != nil {
		return audit.Wrap(err, audit.CodeStorage, "The folder %s for the identity cannot be made.", k.Dir)
	}
	raw, err := x509.MarshalPKCS8PrivateKey(id.Key)
	if err != nil {
		return fmt.Errorf("write the key: %w", err)
	}
	secret, err := k.secret(k.Passphrase != "", true)
	if err != nil {
		return err
	}
	f := kept{
		Version: 1, Certificate: id.Certificate.Raw, KDF: "scrypt", N: scryptN, R: scryptR, P: scryptP,
		Salt: random(16), Nonce: random(12), Passphrase: k.Passphrase != "",
	}
	for _, c := range id.Chain {
		f.Chain = append(f.Chain, c.Raw)
	}
	gcm, err := cipherOf(secret, f.Salt, f.N)
	if err != nil {
		return err
	}
	f.Key = gcm.Seal(nil, f.Nonce, raw, f.Certificate)
	data, err := json.MarshalIndent(f, "", "  ")
	if err != nil {
		return fmt.Errorf("write the identity: %w", err)
	}
	if old, err := k.Load(); err == nil {
		name := "former-" + Fingerprint(old.Certificate)[:16] + ".pem"
		if err := writePrivate(filepath.Join(k.Dir, name), PEM(old.Certificate)); err != nil {
			return err
		}
	}
	return writePrivate(filepath.Join(k.Dir, identityFile), data)
}

func (k Keeper) secret(passphrase, make bool) ([]byte, error) {
	if passphrase {
		return []byte(k.Passphrase), nil
	}
	path := filepath.Join(k.Dir, secretFile)
	data, err := os.ReadFile(path)
	if err == nil && len(data) >= 32 {
		return data, nil
	}
	if !make || err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, audit.Wrap(err, audit.CodeStorage, "The secret of the identity, %s, cannot be read. Without it the key is lost; make a new identity.", path)
	}
	data = random(32)
	return data, writePrivate(path, data)
}

func cipherOf(secret, salt []byte, n int) (cipher.AEAD, error) {
	key, err := scrypt.Key(secret, salt, n, scryptR, scryptP, 32)
	if err != nil {
		return nil, fmt.Errorf("derive the key's key: %w", err)
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, fmt.Errorf("make the cipher: %w", err)
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		return nil, fmt.Errorf("make the cipher: %w", err)
	}
	return gcm, nil
}

func random(n int) []byte {
	b := make([]byte, n)
	rand.Read(b)
	return b
}

// writePrivate writes a file for the owner alone, whole or not at all.
func writePrivate(path string, data []byte) error {
	fail := func(err error) error {
		return audit.Wrap(err, audit.CodeStorage, "The file %s cannot be written.", path)
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), ".identity.*") // readable by its owner alone
	if err != nil {
		return fail(err)
	}
	defer os.Remove(tmp.Name()) // gone after the rename
	_, err = tmp.Write(data)
	if err == nil {
		err = tmp.Sync()
	}
	if err = errors.Join(err, tmp.Close()); err != nil {
		return fail(err)
	}
	if err := os.Rename(tmp.Name(), path); err != nil {
		return fail(err)
	}
	return nil
}
