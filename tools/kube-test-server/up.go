package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/spf13/pflag"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

const (
	startTimeout = 120 * time.Second
	stopTimeout  = 2 * time.Second
)

// A cluster keeps all its state in one directory; a start on the same directory continues it, after a kill, too.
type cluster struct {
	dir           string
	port          int
	apiserverArgs []string
	// Receives the error of a component that ended by itself.
	failed chan error
}

// description is what callers need to know; it is printed as one line of JSON when the cluster is ready.
type description struct {
	KubeConfig string `json:"kubeConfig"`
	Context    string `json:"context"`
	URL        string `json:"url"`
	CAFile     string `json:"caFile"`
	Token      string `json:"token"`
	AuditLog   string `json:"auditLog"`
	// For servers that stand in for this one, such as a proxy.
	ServerCertFile string `json:"serverCertFile"`
	ServerKeyFile  string `json:"serverKeyFile"`
}

func (c *cluster) path(name string) string { return filepath.Join(c.dir, name) }

func up(args []string) error {
	c, stopOnStdinEOF, err := parseArguments(args)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(c.dir, 0o700); err != nil {
		return err
	}
	rest.SetDefaultWarningHandler(rest.NoWarnings{})
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	stop := stopRequests(stopOnStdinEOF)

	etcd, err := c.startEtcd()
	if err != nil {
		return fmt.Errorf("etcd: %w", err)
	}
	started := make(chan error, 1)
	go func() { started <- c.start(ctx, "http://"+etcd.Clients[0].Addr().String()) }()
	timeout := time.After(startTimeout)
	for running := true; running; {
		select {
		case err = <-started:
			running = err == nil
			timeout = nil
		case err = <-c.failed:
			running = false
		case err = <-etcd.Err():
			running = false
		case <-timeout:
			err, running = fmt.Errorf("not ready after %s", startTimeout), false
		case <-stop:
			running = false
		}
	}
	// Whatever the API server has acknowledged is in etcd, so nothing else needs an orderly end.
	stopped := make(chan struct{})
	go func() { etcd.Server.HardStop(); close(stopped) }()
	select {
	case <-stopped:
	case <-time.After(stopTimeout):
	}
	return err
}

func parseArguments(args []string) (*cluster, bool, error) {
	c := &cluster{failed: make(chan error, 4)}
	flags := pflag.NewFlagSet("up", pflag.ContinueOnError)
	flags.StringVar(&c.dir, "dir", "", "directory of all state; the same one again continues the same cluster")
	flags.IntVar(&c.port, "port", 0, "port of the API server on 127.0.0.1; 0 takes a free one")
	flags.StringArrayVar(&c.apiserverArgs, "apiserver-arg", nil, "one more argument for kube-apiserver (repeatable)")
	stopOnStdinEOF := flags.Bool("stop-on-stdin-eof", false, "stop when standard input closes, so when the parent is gone")
	if err := flags.Parse(args); err != nil {
		return nil, false, err
	}
	if c.dir == "" || flags.NArg() > 0 {
		return nil, false, errors.New("up needs --dir DIR and takes no other words")
	}
	dir, err := filepath.Abs(c.dir)
	c.dir = dir
	return c, *stopOnStdinEOF, err
}

func stopRequests(stdinEOF bool) <-chan os.Signal {
	stop := make(chan os.Signal, 2)
	signal.Notify(stop, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
	if stdinEOF {
		go func() {
			_, _ = io.Copy(io.Discard, os.Stdin)
			stop <- syscall.SIGHUP
		}()
	}
	return stop
}

// start returns when the API server is ready and everything else works.
func (c *cluster) start(ctx context.Context, etcdURL string) error {
	listener, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", c.port))
	if err != nil {
		return err
	}
	url := "https://" + listener.Addr().String()
	token, err := c.writeCredentials(url)
	if err != nil {
		return err
	}
	if err := c.startAPIServer(ctx, listener, etcdURL); err != nil {
		return err
	}
	config, err := clientcmd.BuildConfigFromFlags("", c.path(componentKubeConfig))
	if err != nil {
		return err
	}
	config.QPS = -1
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	if err := waitUntilReady(ctx, client); err != nil {
		return err
	}
	if err := c.startControllers(ctx); err != nil {
		return err
	}
	if err := c.startNode(ctx, client); err != nil {
		return err
	}
	if err := waitForDefaultServiceAccount(ctx, client); err != nil {
		return err
	}
	line, err := json.Marshal(description{
		KubeConfig: c.path(adminKubeConfig), Context: contextName, URL: url,
		CAFile: c.path("pki/ca.crt"), Token: token, AuditLog: c.path("audit.log"),
		ServerCertFile: c.path("pki/server.crt"), ServerKeyFile: c.path("pki/server.key"),
	})
	if err != nil {
		return err
	}
	_, err = fmt.Printf("%s\n", line)
	return err
}

func poll(ctx context.Context, done func() bool) error {
	for !done() {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
	}
	return nil
}
