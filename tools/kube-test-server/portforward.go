package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/cri-streaming/pkg/streaming/portforward"
)

const (
	forwardIdleTimeout    = 4 * time.Hour
	streamCreationTimeout = 30 * time.Second
)

// servePortForward speaks SPDY with kubectl and WebSocket with others. The connection ends with the pod.
func (n *node) servePortForward(response http.ResponseWriter, request *http.Request) {
	pod := n.podOf(response, request)
	if pod == nil {
		return
	}
	if pod.Status.Phase != corev1.PodRunning {
		http.Error(response, fmt.Sprintf("pod %q does not run: its phase is %s", pod.Name, pod.Status.Phase), http.StatusBadRequest)
		return
	}
	options, err := portforward.NewV4Options(request)
	if err != nil {
		http.Error(response, err.Error(), http.StatusBadRequest)
		return
	}
	served, stop := context.WithCancel(request.Context())
	defer stop()
	portforward.ServePortForward(&endingWithPod{response, func(connection net.Conn) { n.closeWithPod(served, pod, connection) }},
		request, portAnswers{pod}, pod.Name, string(pod.UID), options,
		forwardIdleTimeout, streamCreationTimeout, portforward.SupportedProtocols)
}

// closeWithPod waits until the pod has ended, or nobody is served any more.
func (n *node) closeWithPod(served context.Context, pod *corev1.Pod, connection net.Conn) {
	for {
		_, ended, changed := n.logs.read(pod.UID, "", 0)
		if ended {
			_ = connection.Close()
			return
		}
		select {
		case <-changed:
		case <-served.Done():
			return
		}
	}
}

// endingWithPod hands the connection that an upgrade takes over to a watcher.
type endingWithPod struct {
	http.ResponseWriter
	watch func(net.Conn)
}

func (w *endingWithPod) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	connection, buffer, err := http.NewResponseController(w.ResponseWriter).Hijack()
	if err == nil {
		go w.watch(connection)
	}
	return connection, buffer, err
}

// portAnswers stands in for the programs that listen on the declared ports of a pod.
type portAnswers struct{ pod *corev1.Pod }

// PortForward answers every HTTP request on a connection with the same text, and anything else with the bare text.
func (a portAnswers) PortForward(_ context.Context, name, _ string, port int32, stream io.ReadWriteCloser) error {
	if !a.listens(port) {
		return fmt.Errorf("failed to connect to localhost:%d inside the pod %q: connection refused", port, name)
	}
	answer := a.answer(port)
	reader := bufio.NewReader(stream)
	for {
		if _, err := reader.Peek(1); err != nil {
			return nil // the other side is done
		}
		request, err := http.ReadRequest(reader)
		if err != nil {
			_, err = io.WriteString(stream, answer)
			return err
		}
		if _, err := io.Copy(io.Discard, request.Body); err != nil {
			return err
		}
		response := &http.Response{
			StatusCode: http.StatusOK, ProtoMajor: 1, ProtoMinor: 1, Request: request, Close: request.Close,
			Header:        http.Header{"Content-Type": {"text/plain; charset=utf-8"}},
			ContentLength: int64(len(answer)), Body: io.NopCloser(strings.NewReader(answer)),
		}
		if err := response.Write(stream); err != nil || request.Close {
			return err
		}
	}
}

func (a portAnswers) listens(port int32) bool {
	for _, container := range a.pod.Spec.Containers {
		for _, declared := range container.Ports {
			if declared.ContainerPort == port {
				return true
			}
		}
	}
	return false
}

func (a portAnswers) answer(port int32) string {
	if text, ok := a.pod.Annotations[fmt.Sprintf("%s.%d", answerAnnotation, port)]; ok {
		return text
	}
	if text, ok := a.pod.Annotations[answerAnnotation]; ok {
		return text
	}
	return fmt.Sprintf("pod %s port %d\n", a.pod.Name, port)
}
