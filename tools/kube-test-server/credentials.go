package main

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"os"

	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/clientcmd/api"
)

const (
	contextName = "test"
	// For tests: the current context is an administrator.
	adminKubeConfig = "kubeconfig"
	// For controllers and the node, whose requests are not in the audit log.
	componentKubeConfig = "components.kubeconfig"
	componentUser       = "kube-test-server"
)

// writeCredentials makes certificates, tokens and kube configs and returns the administrator's token. Those of an
// earlier start stay valid; only the address is written anew.
func (c *cluster) writeCredentials(url string) (string, error) {
	if _, err := os.Stat(c.path("tokens.csv")); errors.Is(err, os.ErrNotExist) {
		if err := c.createCredentials(); err != nil {
			return "", err
		}
	}
	if err := c.writeKubeConfig(componentKubeConfig, url, "component-token"); err != nil {
		return "", err
	}
	if err := c.writeKubeConfig(adminKubeConfig, url, "admin-token"); err != nil {
		return "", err
	}
	token, err := os.ReadFile(c.path("admin-token"))
	return string(token), err
}

func (c *cluster) createCredentials() error {
	pki := c.path("pki")
	if err := os.MkdirAll(pki, 0o700); err != nil {
		return err
	}
	ca, err := newAuthority(pki, "ca")
	if err != nil {
		return err
	}
	frontProxyCA, err := newAuthority(pki, "front-proxy-ca")
	if err != nil {
		return err
	}
	_, keyError := newKey(pki, "sa")
	adminToken, componentToken := randomToken(), randomToken()
	masters := []string{"system:masters"}
	return errors.Join(
		keyError,
		ca.issueServer("server", "kube-apiserver", "127.0.0.1", "localhost", "10.96.0.1", "kubernetes.default.svc"),
		ca.issueServer("kubelet", "system:node:"+nodeName, "127.0.0.1"),
		ca.issueClient("kubelet-client", "kube-apiserver-kubelet-client", nil),
		ca.issueClient("admin", "admin", masters),
		frontProxyCA.issueClient("front-proxy-client", "front-proxy-client", nil),
		os.WriteFile(c.path("admin-token"), []byte(adminToken), 0o600),
		os.WriteFile(c.path("component-token"), []byte(componentToken), 0o600),
		// The last file, as its presence says that all others are there.
		os.WriteFile(c.path("tokens.csv"), []byte(fmt.Sprintf("%s,admin,admin,%q\n%s,%s,%[4]s,%[2]q\n",
			adminToken, masters[0], componentToken, componentUser)), 0o600),
	)
}

func (c *cluster) writeKubeConfig(file, url, tokenFile string) error {
	ca, err := os.ReadFile(c.path("pki/ca.crt"))
	if err != nil {
		return err
	}
	token, err := os.ReadFile(c.path(tokenFile))
	if err != nil {
		return err
	}
	config := api.NewConfig()
	config.Clusters[contextName] = &api.Cluster{Server: url, CertificateAuthorityData: ca}
	config.AuthInfos["admin"] = &api.AuthInfo{Token: string(token)}
	config.Contexts[contextName] = &api.Context{Cluster: contextName, AuthInfo: "admin"}
	config.CurrentContext = contextName
	return clientcmd.WriteToFile(*config, c.path(file))
}

func randomToken() string {
	random := make([]byte, 16)
	_, _ = rand.Read(random) // never fails
	return hex.EncodeToString(random)
}
