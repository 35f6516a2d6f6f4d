package main

import (
	"slices"
	"strings"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
)

// A logbook holds what the containers of pods have printed so far.
type logbook struct {
	mutex sync.Mutex
	pods  map[types.UID]*podLog
}

type podLog struct {
	lines map[string][]logLine // by container
	ended bool
	// Closed and replaced at every change.
	changed chan struct{}
}

type logLine struct {
	printed time.Time
	text    string
}

func newLogbook() *logbook { return &logbook{pods: map[types.UID]*podLog{}} }

// update adds the lines that the annotations of a pod have and its log has not.
func (b *logbook) update(pod *corev1.Pod) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	log := b.pods[pod.UID]
	if log == nil {
		log = &podLog{lines: map[string][]logLine{}, changed: make(chan struct{})}
		b.pods[pod.UID] = log
	}
	added := false
	for _, status := range slices.Concat(pod.Status.ContainerStatuses, pod.Status.InitContainerStatuses) {
		if !hasStarted(status) {
			continue
		}
		wanted := printedBy(pod, status.Name)
		for i := len(log.lines[status.Name]); i < len(wanted); i++ {
			log.lines[status.Name] = append(log.lines[status.Name], logLine{time.Now(), wanted[i]})
			added = true
		}
	}
	ended := pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed
	if added || ended != log.ended {
		log.ended = ended
		log.announce()
	}
}

// end tells followers that the pod is gone.
func (b *logbook) end(pod types.UID) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	if log := b.pods[pod]; log != nil {
		log.ended = true
		log.announce()
		delete(b.pods, pod)
	}
}

// read returns the lines of a container from a position on, whether more can follow, and a channel that is closed then.
func (b *logbook) read(pod types.UID, container string, from int) (lines []logLine, ended bool, changed <-chan struct{}) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	log := b.pods[pod]
	if log == nil {
		return nil, true, nil
	}
	return log.lines[container][min(from, len(log.lines[container])):], log.ended, log.changed
}

func (l *podLog) announce() {
	close(l.changed)
	l.changed = make(chan struct{})
}

func printedBy(pod *corev1.Pod, container string) []string {
	text, ok := pod.Annotations[logsAnnotation+"."+container]
	if !ok {
		text = pod.Annotations[logsAnnotation]
	}
	if text = strings.TrimSuffix(text, "\n"); text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}

func hasStarted(status corev1.ContainerStatus) bool {
	return status.State.Running != nil || status.State.Terminated != nil || status.LastTerminationState.Terminated != nil
}
