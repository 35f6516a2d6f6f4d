package main

import (
	"context"
	"fmt"
	"net"
	"os"

	"github.com/spf13/pflag"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/client-go/kubernetes"
	cliflag "k8s.io/component-base/cli/flag"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	"k8s.io/kubernetes/cmd/kube-apiserver/app/options"
)

// Requests of the cluster's own components are left out, so that the log holds those of the tests.
const auditPolicy = `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
- level: None
  users: [` + componentUser + `, "system:apiserver"]
- level: None
  nonResourceURLs: ["/readyz*", "/livez*", "/healthz*"]
- level: Metadata
`

func (c *cluster) startAPIServer(ctx context.Context, listener net.Listener, etcdURL string) error {
	if err := os.WriteFile(c.path("audit-policy.yaml"), []byte(auditPolicy), 0o600); err != nil {
		return err
	}
	run := options.NewServerRunOptions()
	if err := parse("kube-apiserver", run.Flags(), append([]string{
		"--etcd-servers=" + etcdURL,
		"--bind-address=127.0.0.1",
		"--advertise-address=127.0.0.1",
		"--endpoint-reconciler-type=none", // the default one refuses a loopback address
		"--service-cluster-ip-range=10.96.0.0/16",
		"--allow-privileged=true",
		"--authorization-mode=Node,RBAC",
		"--audit-policy-file=" + c.path("audit-policy.yaml"),
		"--audit-log-path=" + c.path("audit.log"),
		"--audit-log-maxsize=4000",
		"--cert-dir=" + c.path("pki"),
		"--tls-cert-file=" + c.path("pki/server.crt"),
		"--tls-private-key-file=" + c.path("pki/server.key"),
		"--client-ca-file=" + c.path("pki/ca.crt"),
		"--token-auth-file=" + c.path("tokens.csv"),
		"--service-account-issuer=https://kubernetes.default.svc.cluster.local",
		"--service-account-key-file=" + c.path("pki/sa.key"),
		"--service-account-signing-key-file=" + c.path("pki/sa.key"),
		"--kubelet-certificate-authority=" + c.path("pki/ca.crt"),
		"--kubelet-client-certificate=" + c.path("pki/kubelet-client.crt"),
		"--kubelet-client-key=" + c.path("pki/kubelet-client.key"),
		"--kubelet-preferred-address-types=InternalIP",
		// By these an aggregated API server learns who the caller is.
		"--requestheader-client-ca-file=" + c.path("pki/front-proxy-ca.crt"),
		"--requestheader-allowed-names=front-proxy-client",
		"--requestheader-username-headers=X-Remote-User",
		"--requestheader-group-headers=X-Remote-Group",
		"--requestheader-extra-headers-prefix=X-Remote-Extra-",
		"--proxy-client-cert-file=" + c.path("pki/front-proxy-client.crt"),
		"--proxy-client-key-file=" + c.path("pki/front-proxy-client.key"),
	}, c.apiserverArgs...)); err != nil {
		return err
	}
	// A listener that is open already: no other process can take the port in between.
	run.SecureServing.Listener = listener
	run.SecureServing.BindPort = listener.Addr().(*net.TCPAddr).Port
	if err := run.GenericServerRunOptions.ComponentGlobalsRegistry.Set(); err != nil {
		return err
	}
	completed, err := run.Complete(ctx)
	if err != nil {
		return err
	}
	if problems := completed.Validate(); len(problems) > 0 {
		return errors.NewAggregate(problems)
	}
	go func() { c.failed <- fmt.Errorf("kube-apiserver ended: %v", apiserver.Run(ctx, completed)) }()
	return nil
}

func waitUntilReady(ctx context.Context, client kubernetes.Interface) error {
	return poll(ctx, func() bool {
		_, err := client.Discovery().RESTClient().Get().AbsPath("/readyz").DoRaw(ctx)
		return err == nil
	})
}

// Without its service account a pod of the namespace "default" is refused.
func waitForDefaultServiceAccount(ctx context.Context, client kubernetes.Interface) error {
	return poll(ctx, func() bool {
		_, err := client.CoreV1().ServiceAccounts("default").Get(ctx, "default", metav1.GetOptions{})
		return err == nil
	})
}

// parse sets the options of a component as its own command line does.
func parse(name string, sets cliflag.NamedFlagSets, args []string) error {
	flags := pflag.NewFlagSet(name, pflag.ContinueOnError)
	flags.SetNormalizeFunc(cliflag.WordSepNormalizeFunc)
	for _, set := range sets.FlagSets {
		flags.AddFlagSet(set)
	}
	return flags.Parse(args)
}
