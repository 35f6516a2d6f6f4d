package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"

	corev1 "k8s.io/api/core/v1"
)

// startKubelet serves what the API server asks a kubelet for: logs and port-forward. Returns the port.
func (c *cluster) startKubelet(ctx context.Context, n *node) (int, error) {
	certificate, err := tls.LoadX509KeyPair(c.path("pki/kubelet.crt"), c.path("pki/kubelet.key"))
	if err != nil {
		return 0, err
	}
	ca, err := os.ReadFile(c.path("pki/ca.crt"))
	if err != nil {
		return 0, err
	}
	clients := x509.NewCertPool()
	clients.AppendCertsFromPEM(ca)
	listener, err := tls.Listen("tcp", net.JoinHostPort(nodeAddress, "0"), &tls.Config{
		Certificates: []tls.Certificate{certificate},
		ClientAuth:   tls.RequireAndVerifyClientCert,
		ClientCAs:    clients,
	})
	if err != nil {
		return 0, err
	}
	routes := http.NewServeMux()
	routes.HandleFunc("GET /containerLogs/{namespace}/{pod}/{container}", n.serveLogs)
	routes.HandleFunc("/portForward/{namespace}/{pod}", n.servePortForward)
	server := &http.Server{
		Handler:     routes,
		BaseContext: func(net.Listener) context.Context { return ctx },
		ErrorLog:    log.New(io.Discard, "", 0), // callers that hang up
	}
	go func() { c.failed <- fmt.Errorf("kubelet ended: %w", server.Serve(listener)) }()
	return listener.Addr().(*net.TCPAddr).Port, nil
}

// podOf finds the pod that the path names; it answers the request itself when there is none.
func (n *node) podOf(response http.ResponseWriter, request *http.Request) *corev1.Pod {
	namespace, name := request.PathValue("namespace"), request.PathValue("pod")
	pod, err := n.pods.Pods(namespace).Get(name)
	if err != nil {
		http.Error(response, fmt.Sprintf("pod %q of namespace %q does not exist", name, namespace), http.StatusNotFound)
		return nil
	}
	return pod
}
