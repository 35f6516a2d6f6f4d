package main

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	corev1 "k8s.io/api/core/v1"
)

// logOptions are the query parameters of a request for logs.
type logOptions struct {
	follow, timestamps bool
	since              time.Time
	tailLines          int // -1 for all
	limitBytes         int // -1 for all
}

func (n *node) serveLogs(response http.ResponseWriter, request *http.Request) {
	pod := n.podOf(response, request)
	if pod == nil {
		return
	}
	container := request.PathValue("container")
	query := request.URL.Query()
	if problem := whyNoLogs(pod, container, query.Get("previous") == "true"); problem != "" {
		http.Error(response, problem, http.StatusBadRequest)
		return
	}
	options, err := parseLogOptions(query)
	if err != nil {
		http.Error(response, err.Error(), http.StatusBadRequest)
		return
	}
	// The pod may be newer than the last look at it.
	n.logs.update(pod)
	n.copyLogs(response, request, pod, container, options)
}

func (n *node) copyLogs(response http.ResponseWriter, request *http.Request, pod *corev1.Pod, container string, options logOptions) {
	response.Header().Set("Content-Type", "text/plain")
	flush := func() { _ = http.NewResponseController(response).Flush() }
	flush()
	for position, first := 0, true; ; first = false {
		lines, ended, changed := n.logs.read(pod.UID, container, position)
		position += len(lines)
		if first && options.tailLines >= 0 {
			lines = lines[max(0, len(lines)-options.tailLines):]
		}
		for _, line := range lines {
			if !options.write(response, line) {
				return
			}
		}
		flush()
		if ended || !options.follow {
			return
		}
		select {
		case <-changed:
		case <-request.Context().Done():
			return
		}
	}
}

// write returns whether more may be written.
func (o *logOptions) write(response http.ResponseWriter, line logLine) bool {
	// The API has times of whole seconds.
	if line.printed.Before(o.since.Truncate(time.Second)) {
		return true
	}
	text := line.text + "\n"
	if o.timestamps {
		text = line.printed.UTC().Format(time.RFC3339Nano) + " " + text
	}
	if o.limitBytes >= 0 {
		text = text[:min(len(text), o.limitBytes)]
		o.limitBytes -= len(text)
	}
	_, err := response.Write([]byte(text))
	return err == nil && o.limitBytes != 0
}

func parseLogOptions(query url.Values) (logOptions, error) {
	options := logOptions{follow: query.Get("follow") == "true", timestamps: query.Get("timestamps") == "true"}
	number := func(name string) int {
		value, err := strconv.Atoi(query.Get(name))
		if err != nil {
			return -1
		}
		return value
	}
	options.tailLines, options.limitBytes = number("tailLines"), number("limitBytes")
	if seconds := number("sinceSeconds"); seconds >= 0 {
		options.since = time.Now().Add(-time.Duration(seconds) * time.Second)
	}
	if text := query.Get("sinceTime"); text != "" {
		since, err := time.Parse(time.RFC3339, text)
		if err != nil {
			return options, fmt.Errorf("sinceTime %q is not a time", text)
		}
		options.since = since
	}
	return options, nil
}

// whyNoLogs says why a container has no logs, in the words that people know from a kubelet.
func whyNoLogs(pod *corev1.Pod, container string, previous bool) string {
	for _, status := range slices.Concat(pod.Status.ContainerStatuses, pod.Status.InitContainerStatuses) {
		switch {
		case status.Name != container:
			continue
		case previous && status.LastTerminationState.Terminated == nil:
			return fmt.Sprintf("previous terminated container %q in pod %q not found", container, pod.Name)
		case hasStarted(status):
			return ""
		case status.State.Waiting != nil && status.State.Waiting.Reason == "ImagePullBackOff":
			return fmt.Sprintf("container %q in pod %q is waiting to start: trying and failing to pull image", container, pod.Name)
		}
	}
	return fmt.Sprintf("container %q in pod %q is waiting to start: ContainerCreating", container, pod.Name)
}
