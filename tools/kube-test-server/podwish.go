package main

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
)

// Annotations of a pod, and so of a pod template. They may be changed while the pod lives.
const (
	// One of the outcomes below.
	outcomeAnnotation = "kube-test-server/outcome"
	// How long after its creation the pod shows the outcome, such as 500ms.
	afterAnnotation = "kube-test-server/after"
	// What status and event say about an outcome other than running.
	messageAnnotation = "kube-test-server/message"
	// What every container prints; logs.NAME is for the container NAME. Text added later is printed then.
	logsAnnotation = "kube-test-server/logs"
	// What a forwarded port answers; answer.PORT is for one port.
	answerAnnotation = "kube-test-server/answer"
)

const (
	outcomeRunning          = "running"   // the default of pods that restart always
	outcomeSucceeded        = "succeeded" // the default of others
	outcomeFailed           = "failed"
	outcomePending          = "pending"
	outcomeUnschedulable    = "unschedulable"
	outcomeImagePullBackOff = "image-pull-backoff"
	outcomeCrashLoop        = "crash-loop"
	outcomeOOMKilled        = "oom-killed"
	outcomeUnready          = "unready" // runs, and its readiness probe fails
)

// A podWish is what the annotations of a pod ask for.
type podWish struct {
	outcome     string
	after       time.Duration
	message     string
	eventReason string
	eventSource string
}

func wishOf(pod *corev1.Pod) podWish {
	wish := podWish{outcome: pod.Annotations[outcomeAnnotation], eventSource: "kubelet"}
	wish.after, _ = time.ParseDuration(pod.Annotations[afterAnnotation])
	if wish.outcome == "" {
		wish.outcome = outcomeRunning
		if pod.Spec.RestartPolicy != corev1.RestartPolicyAlways {
			wish.outcome = outcomeSucceeded
		}
	}
	switch wish.outcome {
	case outcomeUnschedulable:
		wish.eventReason, wish.eventSource = "FailedScheduling", "default-scheduler"
		wish.message = "0/1 nodes are available: 1 Insufficient cpu."
	case outcomeImagePullBackOff:
		wish.eventReason = "Failed"
		wish.message = `Back-off pulling image "` + pod.Spec.Containers[0].Image + `"`
	case outcomeCrashLoop, outcomeOOMKilled:
		wish.eventReason = "BackOff"
		wish.message = "back-off 10s restarting failed container=" + pod.Spec.Containers[0].Name + " pod=" + pod.Name
	case outcomeUnready:
		wish.eventReason = "Unhealthy"
		wish.message = "Readiness probe failed: HTTP probe failed with statuscode: 503"
	case outcomeRunning, outcomeSucceeded, outcomeFailed, outcomePending:
	default:
		wish.eventReason = "FailedScheduling"
		wish.message = fmt.Sprintf("The annotation %s knows no %q.", outcomeAnnotation, wish.outcome)
		wish.outcome = outcomeUnschedulable
		return wish
	}
	if message := pod.Annotations[messageAnnotation]; message != "" {
		wish.message = message
	}
	return wish
}
