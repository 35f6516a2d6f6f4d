// Command kube-test-server is a Kubernetes cluster for tests in one process on the loopback interface: etcd,
// kube-apiserver and kube-controller-manager are the real ones of the version in go.mod; scheduler and kubelet are
// stand-ins that start no container and report what annotations of a pod say.
//
//	kube-test-server up --dir DIR [--port N] [--stop-on-stdin-eof] [--apiserver-arg=--FLAG=VALUE]...
//	kube-test-server etcd|kube-apiserver ...    the upstream commands; a symbolic link of that name works, too
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"go.etcd.io/etcd/server/v3/etcdmain"
	"k8s.io/component-base/cli"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
)

func main() {
	if name := filepath.Base(os.Args[0]); name == "etcd" || name == "kube-apiserver" {
		runUpstream(name)
	}
	if len(os.Args) < 2 {
		usage()
	}
	switch command := os.Args[1]; command {
	case "up":
		if err := up(os.Args[2:]); err != nil {
			fmt.Fprintln(os.Stderr, "kube-test-server:", err)
			os.Exit(1)
		}
	case "etcd", "kube-apiserver":
		os.Args = os.Args[1:]
		runUpstream(command)
	default:
		usage()
	}
}

func runUpstream(name string) {
	if name == "etcd" {
		etcdmain.Main(os.Args)
		os.Exit(0)
	}
	os.Exit(cli.Run(apiserver.NewAPIServerCommand()))
}

func usage() {
	fmt.Fprintln(os.Stderr, "usage: kube-test-server up --dir DIR [flags] | etcd [flags] | kube-apiserver [flags]")
	os.Exit(2)
}
