package sign_test

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"encoding/pem"
	"errors"
	"math/big"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	pkcs12 "software.sslmate.com/src/go-pkcs12"

	"veristream/backend/audit"
	"veristream/backend/report/sign"
)

var when = time.Date(2026, 11, 25, 14, 0, 0, 0, time.UTC)

func make1(t *testing.T) *sign.Identity {
	t.Helper()
	id, err := sign.New("Lena Brandt", "Calder Reach", when)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func TestDetached(t *testing.T) {
	id := make1(t)
	content := []byte("what is signed")
	cms, err := id.Detached(content, nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := sign.CheckDetached(cms, content)
	if err != nil || !s.Certificate.Equal(id.Certificate) {
		t.Fatalf("%v", err)
	}
	if _, err := sign.CheckDetached(cms, []byte("something else")); !errors.Is(err, sign.ErrDigest) {
		t.Errorf("other content: %v", err)
	}
	// Every bit of the object counts, save those of the parts that nothing rests on.
	for i := range cms {
		bad := bytes.Clone(cms)
		bad[i] ^= 0x10
		if _, err := sign.CheckDetached(bad, content); err == nil {
			t.Errorf("byte %d of %d was changed, and nothing shows it", i, len(cms))
		}
	}
}

// OpenSSL, which knows nothing of us, takes the signature.
func TestOpenSSLAccepts(t *testing.T) {
	openssl := need(t, "openssl")
	id := make1(t)
	content := []byte("what is signed")
	cms, err := id.Detached(content, nil)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, data := range map[string][]byte{"c": content, "s": cms, "ca.pem": sign.PEM(id.Certificate)} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), openssl, "cms", "-verify", "-cades", "-binary", "-inform", "DER", "-in", "s", "-content", "c", "-CAfile", "ca.pem",
		"-purpose", "any", "-attime", "1796000000", "-out", os.DevNull)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "successful") {
		t.Errorf("%v\n%s", err, out)
	}
}

func need(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		if os.Getenv("VERISTREAM_REQUIRE_ALL") == "1" {
			t.Fatal(name + " is not installed")
		}
		t.Skip(name + " is not installed")
	}
	return path
}

func TestKeeper(t *testing.T) {
	for _, passphrase := range []string{"", "correct horse"} {
		dir := filepath.Join(t.TempDir(), "identity")
		k := sign.Keeper{Dir: dir, Passphrase: passphrase}
		if _, err := k.Load(); !errors.Is(err, sign.ErrNone) {
			t.Fatalf("an empty folder: %v", err)
		}
		id := make1(t)
		if err := k.Save(id); err != nil {
			t.Fatal(err)
		}
		got, err := k.Load()
		if err != nil || !got.Certificate.Equal(id.Certificate) || got.Check(when) != nil {
			t.Fatalf("%v", err)
		}
		files, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if info, err := f.Info(); err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("%s: %v %v", f.Name(), info.Mode(), err)
			}
		}
		data, err := os.ReadFile(filepath.Join(dir, "identity.json"))
		if err != nil {
			t.Fatal(err)
		}
		raw, err := x509.MarshalPKCS8PrivateKey(id.Key)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(data, raw[len(raw)-32:]) {
			t.Error("the key lies open in the file")
		}
		if passphrase != "" {
			if _, err := (sign.Keeper{Dir: dir, Passphrase: "wrong"}).Load(); audit.CodeOf(err) != audit.CodeUsage {
				t.Errorf("a wrong passphrase: %v", err)
			}
			if _, err := (sign.Keeper{Dir: dir}).Load(); audit.CodeOf(err) != audit.CodeUsage {
				t.Errorf("no passphrase: %v", err)
			}
			continue
		}
		if err := k.Save(make1(t)); err != nil {
			t.Fatal(err)
		}
		if former, _ := filepath.Glob(filepath.Join(dir, "former-*.pem")); len(former) != 1 {
			t.Errorf("former certificates: %v", former)
		}
		if err := os.Remove(filepath.Join(dir, "identity.secret")); err != nil {
			t.Fatal(err)
		}
		if _, err := k.Load(); audit.CodeOf(err) != audit.CodeStorage {
			t.Errorf("without its secret: %v", err)
		}
	}
}

func TestCheckBeforeSigning(t *testing.T) {
	id := make1(t)
	for name, tt := range map[string]struct {
		at   time.Time
		code audit.Code
	}{
		"good":    {when, ""},
		"early":   {when.Add(-time.Hour), audit.CodeUsage},
		"run out": {when.AddDate(4, 0, 0), audit.CodeUsage},
	} {
		if err := id.Check(tt.at); audit.CodeOf(err) != tt.code {
			t.Errorf("%s: %v", name, err)
		}
	}
	other := make1(t)
	if err := (&sign.Identity{Certificate: id.Certificate, Key: other.Key}).Check(when); audit.CodeOf(err) != audit.CodeUsage {
		t.Errorf("another's key: %v", err)
	}
	if _, err := sign.New("  ", "", when); audit.CodeOf(err) != audit.CodeUsage {
		t.Errorf("nobody: %v", err)
	}
}

// An identity of an authority, with an RSA key, from a PKCS#12 file.
func TestPKCS12(t *testing.T) {
	caKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	ca := certificate(t, &x509.Certificate{Subject: pkix.Name{CommonName: "Authority"}, IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign}, nil, caKey.Public(), caKey)
	key, err := rsa.GenerateKey(rand.Reader, 3072)
	if err != nil {
		t.Fatal(err)
	}
	leaf := certificate(t, &x509.Certificate{Subject: pkix.Name{CommonName: "Lena Brandt"}, KeyUsage: x509.KeyUsageDigitalSignature}, ca, key.Public(), caKey)
	data, err := pkcs12.Modern.Encode(key, leaf, []*x509.Certificate{ca}, "secret")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := sign.FromPKCS12(data, "wrong"); audit.CodeOf(err) != audit.CodeUsage {
		t.Errorf("a wrong password: %v", err)
	}
	if _, err := sign.FromPKCS12([]byte("no such file"), "secret"); audit.CodeOf(err) != audit.CodeUsage {
		t.Errorf("another file: %v", err)
	}
	id, err := sign.FromPKCS12(data, "secret")
	if err != nil || id.Check(when) != nil {
		t.Fatal(err)
	}
	cms, err := id.Detached([]byte("x"), nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := sign.CheckDetached(cms, []byte("x"))
	if err != nil || sign.SelfMade(s.Certificate) {
		t.Errorf("%v", err)
	}
}

func certificate(t *testing.T, template, parent *x509.Certificate, public, key any) *x509.Certificate {
	t.Helper()
	template.SerialNumber = big.NewInt(time.Now().UnixNano())
	template.NotBefore, template.NotAfter = when.AddDate(-1, 0, 0), when.AddDate(5, 0, 0)
	if parent == nil {
		parent = template
	}
	raw, err := x509.CreateCertificate(rand.Reader, template, parent, public, key)
	if err != nil {
		t.Fatal(err)
	}
	c, err := x509.ParseCertificate(raw)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// A time stamp from a server that OpenSSL plays.
func TestTimeStamp(t *testing.T) {
	openssl := need(t, "openssl")
	dir := t.TempDir()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	usage, err := asn1.Marshal([]asn1.ObjectIdentifier{{1, 3, 6, 1, 5, 5, 7, 3, 8}})
	if err != nil {
		t.Fatal(err)
	}
	tsa := certificate(t, &x509.Certificate{
		Subject: pkix.Name{CommonName: "Clock"}, KeyUsage: x509.KeyUsageDigitalSignature,
		ExtraExtensions: []pkix.Extension{{Id: asn1.ObjectIdentifier{2, 5, 29, 37}, Critical: true, Value: usage}},
	}, nil, key.Public(), key)
	raw, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	conf := "[tsa]\ndefault_tsa=t\n[t]\ndir=" + dir + "\nserial=" + dir + "/serial\ncrypto_device=builtin\nsigner_digest=sha256\ndefault_policy=1.2.3.4.1\n" +
		"digests=sha256\naccuracy=secs:1\nordering=yes\ntsa_name=yes\ness_cert_id_chain=no\ness_cert_id_alg=sha256\n"
	for name, data := range map[string][]byte{
		"cert.pem": sign.PEM(tsa), "key.pem": pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: raw}), "conf": []byte(conf), "serial": []byte("01\n"),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	status := http.StatusOK
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(status)
		var query bytes.Buffer
		if _, err := query.ReadFrom(r.Body); err != nil {
			t.Error(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "q"), query.Bytes(), 0o600); err != nil {
			t.Error(err)
		}
		cmd := exec.CommandContext(r.Context(), openssl, "ts", "-reply", "-config", filepath.Join(dir, "conf"), "-queryfile", filepath.Join(dir, "q"),
			"-signer", filepath.Join(dir, "cert.pem"), "-inkey", filepath.Join(dir, "key.pem"))
		out, err := cmd.Output()
		if err != nil {
			t.Errorf("openssl ts: %v", err)
		}
		w.Write(out)
	}))
	defer server.Close()
	id := make1(t)
	cms, err := id.Detached([]byte("x"), sign.StampFrom(context.Background(), server.Client(), server.URL))
	if err != nil {
		t.Fatal(err)
	}
	s, err := sign.CheckDetached(cms, []byte("x"))
	if err != nil || s.Stamped.IsZero() || s.Stamp.Subject.CommonName != "Clock" {
		t.Fatalf("%+v %v", s, err)
	}
	// A stamp over another signature.
	digest := sha256.Sum256([]byte("another"))
	token, err := sign.StampFrom(context.Background(), server.Client(), server.URL)(digest[:])
	if err != nil {
		t.Fatal(err)
	}
	cms, err = id.Detached([]byte("x"), func([]byte) ([]byte, error) { return token, nil })
	if err != nil {
		t.Fatal(err)
	}
	if _, err := sign.CheckDetached(cms, []byte("x")); err == nil {
		t.Error("a stamp over another signature is taken")
	}
	status = http.StatusForbidden
	if _, err := id.Detached([]byte("x"), sign.StampFrom(context.Background(), server.Client(), server.URL)); audit.CodeOf(err) != audit.CodeNetwork {
		t.Errorf("a server that refuses: %v", err)
	}
}

func FuzzCheckDetached(f *testing.F) {
	id, err := sign.New("Lena Brandt", "", when)
	if err != nil {
		f.Fatal(err)
	}
	cms, err := id.Detached([]byte("x"), nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(cms)
	f.Add([]byte{0x30, 0})
	f.Fuzz(func(t *testing.T, data []byte) {
		if _, err := sign.CheckDetached(data, []byte("another content")); err == nil {
			t.Fatal("a signature over another content is taken")
		}
	})
}
