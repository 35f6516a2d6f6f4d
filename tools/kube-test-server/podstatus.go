package main

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// nextStatus returns the status to report next, or nil when the pod shows what it should. A pod that ends runs first, as
// on a real node.
func (n *node) nextStatus(pod *corev1.Pod, wish podWish) *corev1.PodStatus {
	if pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed || wish.outcome == outcomePending {
		return nil
	}
	wanted := containersOf(pod, wish)
	if shows(pod, wanted) {
		return nil
	}
	now := metav1.Now()
	status := &corev1.PodStatus{
		Phase:     wanted.phase,
		HostIP:    nodeAddress,
		HostIPs:   []corev1.HostIP{{IP: nodeAddress}},
		StartTime: pod.Status.StartTime,
		PodIP:     pod.Status.PodIP,
	}
	if status.StartTime == nil {
		status.StartTime = &now
	}
	if status.PodIP == "" {
		status.PodIP = n.podIP()
	}
	status.PodIPs = []corev1.PodIP{{IP: status.PodIP}}
	status.Conditions = conditions(wanted, now)
	for _, container := range pod.Spec.InitContainers {
		status.InitContainerStatuses = append(status.InitContainerStatuses, initContainerStatus(container, wanted))
	}
	for _, container := range pod.Spec.Containers {
		status.ContainerStatuses = append(status.ContainerStatuses, wanted.status(container))
	}
	return status
}

// containerFate is what all containers of a pod show.
type containerFate struct {
	phase     corev1.PodPhase
	ready     bool
	state     corev1.ContainerState
	lastState corev1.ContainerState
	restarts  int32
}

func containersOf(pod *corev1.Pod, wish podWish) containerFate {
	running := containerFate{phase: corev1.PodRunning, ready: true, state: runningState(pod)}
	hasRun := pod.Status.Phase == corev1.PodRunning
	switch wish.outcome {
	case outcomeSucceeded:
		if hasRun {
			return containerFate{phase: corev1.PodSucceeded, state: terminated(0, "Completed", wish.message)}
		}
	case outcomeFailed:
		if hasRun {
			return containerFate{phase: corev1.PodFailed, state: terminated(1, "Error", wish.message)}
		}
	case outcomeImagePullBackOff:
		return containerFate{phase: corev1.PodPending, state: waiting("ImagePullBackOff", wish.message)}
	case outcomeCrashLoop:
		return crashLoop(terminated(1, "Error", ""), wish)
	case outcomeOOMKilled:
		if pod.Spec.RestartPolicy == corev1.RestartPolicyAlways {
			return crashLoop(terminated(137, "OOMKilled", ""), wish)
		}
		if hasRun {
			return containerFate{phase: corev1.PodFailed, state: terminated(137, "OOMKilled", "")}
		}
	case outcomeUnready:
		running.ready = false
	}
	return running
}

func crashLoop(last corev1.ContainerState, wish podWish) containerFate {
	return containerFate{
		phase: corev1.PodRunning, state: waiting("CrashLoopBackOff", wish.message), lastState: last, restarts: 3,
	}
}

// shows tells whether the pod's status is what is wanted, times aside.
func shows(pod *corev1.Pod, wanted containerFate) bool {
	if pod.Status.Phase != wanted.phase || len(pod.Status.ContainerStatuses) == 0 {
		return false
	}
	shown := pod.Status.ContainerStatuses[0]
	return shown.Ready == wanted.ready && reasonOf(shown.State) == reasonOf(wanted.state)
}

func reasonOf(state corev1.ContainerState) string {
	switch {
	case state.Waiting != nil:
		return state.Waiting.Reason + ": " + state.Waiting.Message
	case state.Terminated != nil:
		return state.Terminated.Reason
	default:
		return ""
	}
}

// runningState keeps the time at which containers that run already were started.
func runningState(pod *corev1.Pod) corev1.ContainerState {
	started := metav1.Now()
	for _, status := range pod.Status.ContainerStatuses {
		if status.State.Running != nil {
			started = status.State.Running.StartedAt
		}
	}
	return corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: started}}
}

func waiting(reason, message string) corev1.ContainerState {
	return corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: reason, Message: message}}
}

func terminated(code int32, reason, message string) corev1.ContainerState {
	now := metav1.Now()
	return corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{
		ExitCode: code, Reason: reason, Message: message, StartedAt: now, FinishedAt: now,
	}}
}

func (f containerFate) status(container corev1.Container) corev1.ContainerStatus {
	started := f.state.Running != nil
	return corev1.ContainerStatus{
		Name: container.Name, Image: container.Image, ImageID: container.Image, Ready: f.ready, Started: &started,
		State: f.state, LastTerminationState: f.lastState, RestartCount: f.restarts,
	}
}

// initContainerStatus reports an init container as done, and a sidecar like the containers.
func initContainerStatus(container corev1.Container, fate containerFate) corev1.ContainerStatus {
	if policy := container.RestartPolicy; policy != nil && *policy == corev1.ContainerRestartPolicyAlways {
		return fate.status(container)
	}
	done := containerFate{ready: true, state: terminated(0, "Completed", "")}
	return done.status(container)
}

func conditions(fate containerFate, now metav1.Time) []corev1.PodCondition {
	reason := "ContainersNotReady"
	if fate.phase == corev1.PodSucceeded {
		reason = "PodCompleted"
	}
	condition := func(kind corev1.PodConditionType, holds bool) corev1.PodCondition {
		if holds {
			return corev1.PodCondition{Type: kind, Status: corev1.ConditionTrue, LastTransitionTime: now}
		}
		return corev1.PodCondition{Type: kind, Status: corev1.ConditionFalse, Reason: reason, LastTransitionTime: now}
	}
	return []corev1.PodCondition{
		condition(corev1.PodReadyToStartContainers, true), condition(corev1.PodInitialized, true),
		condition(corev1.ContainersReady, fate.ready), condition(corev1.PodReady, fate.ready),
	}
}
