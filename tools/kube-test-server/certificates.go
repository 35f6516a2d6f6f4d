package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"
)

// An authority signs certificates into its directory, NAME.crt beside NAME.key.
type authority struct {
	dir         string
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
}

func newAuthority(dir, name string) (*authority, error) {
	certificate := newCertificate(name)
	certificate.IsCA, certificate.BasicConstraintsValid = true, true
	certificate.KeyUsage |= x509.KeyUsageCertSign
	a := &authority{dir: dir, certificate: certificate}
	var err error
	if a.key, err = newKey(dir, name); err != nil {
		return nil, err
	}
	return a, a.sign(name, certificate, a.key)
}

func (a *authority) issueClient(file, user string, groups []string) error {
	certificate := newCertificate(user)
	certificate.Subject.Organization = groups
	certificate.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}
	return a.issue(file, certificate)
}

func (a *authority) issueServer(file, name string, hosts ...string) error {
	certificate := newCertificate(name)
	certificate.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
	for _, host := range hosts {
		if address := net.ParseIP(host); address != nil {
			certificate.IPAddresses = append(certificate.IPAddresses, address)
		} else {
			certificate.DNSNames = append(certificate.DNSNames, host)
		}
	}
	return a.issue(file, certificate)
}

func (a *authority) issue(file string, certificate *x509.Certificate) error {
	key, err := newKey(a.dir, file)
	if err != nil {
		return err
	}
	return a.sign(file, certificate, key)
}

func (a *authority) sign(file string, certificate *x509.Certificate, key *ecdsa.PrivateKey) error {
	der, err := x509.CreateCertificate(rand.Reader, certificate, a.certificate, key.Public(), a.key)
	if err != nil {
		return err
	}
	return writePEM(filepath.Join(a.dir, file+".crt"), "CERTIFICATE", der)
}

func newCertificate(name string) *x509.Certificate {
	serial, _ := rand.Int(rand.Reader, big.NewInt(1<<62)) // never fails
	return &x509.Certificate{
		SerialNumber: serial,
		Subject:      pkix.Name{CommonName: name},
		NotBefore:    time.Now().Add(-time.Hour),
		NotAfter:     time.Now().AddDate(1, 0, 0),
		KeyUsage:     x509.KeyUsageDigitalSignature,
	}
}

func newKey(dir, name string) (*ecdsa.PrivateKey, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	der, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return nil, err
	}
	return key, writePEM(filepath.Join(dir, name+".key"), "EC PRIVATE KEY", der)
}

func writePEM(path, kind string, der []byte) error {
	return os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600)
}
