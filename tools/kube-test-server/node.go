package main

import (
	"context"
	"encoding/json"
	"net"
	"sync"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
)

const (
	nodeName    = "node-1"
	nodeAddress = "127.0.0.1"
	workers     = 8
)

// A node stands in for scheduler and kubelet: it takes every pod and reports what the pod's annotations say.
type node struct {
	client kubernetes.Interface
	pods   corelisters.PodLister
	queue  workqueue.TypedRateLimitingInterface[cache.ObjectName]
	logs   *logbook
	// When the node saw a pod first, by UID; creation timestamps have whole seconds only.
	seen   sync.Map
	lastIP atomic.Uint32
}

func (c *cluster) startNode(ctx context.Context, client kubernetes.Interface) error {
	factory := informers.NewSharedInformerFactory(client, 0)
	informer := factory.Core().V1().Pods()
	n := &node{
		client: client,
		pods:   informer.Lister(),
		queue: workqueue.NewTypedRateLimitingQueue(
			workqueue.NewTypedItemExponentialFailureRateLimiter[cache.ObjectName](20*time.Millisecond, 5*time.Second)),
		logs: newLogbook(),
	}
	port, err := c.startKubelet(ctx, n)
	if err != nil {
		return err
	}
	if err := registerNode(ctx, client, port); err != nil {
		return err
	}
	if _, err := informer.Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    n.enqueue,
		UpdateFunc: func(_, pod any) { n.enqueue(pod) },
		DeleteFunc: n.forget,
	}); err != nil {
		return err
	}
	factory.Start(ctx.Done())
	factory.WaitForCacheSync(ctx.Done())
	for range workers {
		go n.work(ctx)
	}
	return nil
}

// registerNode creates the Node, or tells a Node of an earlier start where the kubelet listens now.
func registerNode(ctx context.Context, client kubernetes.Interface, port int) error {
	object, err := client.CoreV1().Nodes().Create(ctx, &corev1.Node{ObjectMeta: metav1.ObjectMeta{
		Name: nodeName,
		Labels: map[string]string{
			corev1.LabelHostname: nodeName, corev1.LabelOSStable: "linux", corev1.LabelArchStable: "amd64",
		},
	}}, metav1.CreateOptions{})
	if apierrors.IsAlreadyExists(err) {
		object, err = client.CoreV1().Nodes().Get(ctx, nodeName, metav1.GetOptions{})
	}
	if err != nil {
		return err
	}
	capacity := corev1.ResourceList{
		corev1.ResourceCPU: resource.MustParse("1000"), corev1.ResourceMemory: resource.MustParse("1Ti"),
		corev1.ResourceEphemeralStorage: resource.MustParse("1Ti"), corev1.ResourcePods: resource.MustParse("10000"),
	}
	now := metav1.Now()
	object.Status.Capacity, object.Status.Allocatable = capacity, capacity
	object.Status.Addresses = []corev1.NodeAddress{{Type: corev1.NodeInternalIP, Address: nodeAddress}}
	object.Status.DaemonEndpoints.KubeletEndpoint.Port = int32(port)
	object.Status.Conditions = []corev1.NodeCondition{{
		Type: corev1.NodeReady, Status: corev1.ConditionTrue, Reason: "KubeletReady",
		LastHeartbeatTime: now, LastTransitionTime: now,
	}}
	if _, err = client.CoreV1().Nodes().UpdateStatus(ctx, object, metav1.UpdateOptions{}); err != nil {
		return err
	}
	// An admission plugin taints new nodes as not ready.
	_, err = client.CoreV1().Nodes().Patch(ctx, nodeName, types.MergePatchType, []byte(`{"spec":{"taints":null}}`), metav1.PatchOptions{})
	return err
}

func (n *node) enqueue(object any) {
	if pod, ok := object.(*corev1.Pod); ok {
		n.queue.Add(cache.MetaObjectToName(pod))
	}
}

func (n *node) forget(object any) {
	if unknown, ok := object.(cache.DeletedFinalStateUnknown); ok {
		object = unknown.Obj
	}
	if pod, ok := object.(*corev1.Pod); ok {
		n.logs.end(pod.UID)
		n.seen.Delete(pod.UID)
	}
}

func (n *node) work(ctx context.Context) {
	for {
		key, stopped := n.queue.Get()
		if stopped || ctx.Err() != nil {
			return
		}
		if err := n.sync(ctx, key); err != nil && !apierrors.IsNotFound(err) {
			n.queue.AddRateLimited(key)
		} else {
			n.queue.Forget(key)
		}
		n.queue.Done(key)
	}
}

// sync brings one pod a step further, whatever has happened to it before.
func (n *node) sync(ctx context.Context, key cache.ObjectName) error {
	pod, err := n.pods.Pods(key.Namespace).Get(key.Name)
	if err != nil {
		return err
	}
	wish := wishOf(pod)
	seen, _ := n.seen.LoadOrStore(pod.UID, time.Now())
	if wait := wish.after - time.Since(seen.(time.Time)); wait > 0 && pod.DeletionTimestamp == nil {
		n.queue.AddAfter(key, wait)
		if wish.outcome == outcomeUnschedulable {
			return nil
		}
		// A pod that shows nothing yet has its node all the same.
		wish = podWish{outcome: outcomePending}
	}
	if pod.Spec.NodeName == "" {
		return n.schedule(ctx, pod, wish)
	}
	if pod.Spec.NodeName != nodeName {
		return nil
	}
	if pod.DeletionTimestamp != nil {
		now := metav1.NewDeleteOptions(0)
		now.Preconditions = metav1.NewUIDPreconditions(string(pod.UID))
		return n.client.CoreV1().Pods(key.Namespace).Delete(ctx, key.Name, *now)
	}
	n.logs.update(pod)
	status := n.nextStatus(pod, wish)
	if status == nil {
		return nil
	}
	if err := n.patchStatus(ctx, pod, status); err != nil {
		return err
	}
	return n.recordEvent(ctx, pod, wish)
}

func (n *node) schedule(ctx context.Context, pod *corev1.Pod, wish podWish) error {
	if pod.DeletionTimestamp != nil || len(pod.Spec.SchedulingGates) > 0 || pod.Spec.SchedulerName != corev1.DefaultSchedulerName {
		return nil
	}
	if wish.outcome != outcomeUnschedulable {
		return n.client.CoreV1().Pods(pod.Namespace).Bind(ctx, &corev1.Binding{
			ObjectMeta: metav1.ObjectMeta{Namespace: pod.Namespace, Name: pod.Name, UID: pod.UID},
			Target:     corev1.ObjectReference{Kind: "Node", Name: nodeName},
		}, metav1.CreateOptions{})
	}
	for _, condition := range pod.Status.Conditions {
		if condition.Type == corev1.PodScheduled && condition.Message == wish.message {
			return nil
		}
	}
	status := &corev1.PodStatus{Phase: corev1.PodPending, Conditions: []corev1.PodCondition{{
		Type: corev1.PodScheduled, Status: corev1.ConditionFalse, Reason: corev1.PodReasonUnschedulable,
		Message: wish.message, LastTransitionTime: metav1.Now(),
	}}}
	if err := n.patchStatus(ctx, pod, status); err != nil {
		return err
	}
	return n.recordEvent(ctx, pod, wish)
}

func (n *node) patchStatus(ctx context.Context, pod *corev1.Pod, status *corev1.PodStatus) error {
	patch, err := json.Marshal(map[string]any{"metadata": map[string]any{"uid": pod.UID}, "status": status})
	if err != nil {
		return err
	}
	_, err = n.client.CoreV1().Pods(pod.Namespace).Patch(ctx, pod.Name, types.StrategicMergePatchType, patch, metav1.PatchOptions{}, "status")
	return err
}

// recordEvent writes the event by which a real node explains why a pod does not work.
func (n *node) recordEvent(ctx context.Context, pod *corev1.Pod, wish podWish) error {
	if wish.eventReason == "" {
		return nil
	}
	now := metav1.Now()
	_, err := n.client.CoreV1().Events(pod.Namespace).Create(ctx, &corev1.Event{
		ObjectMeta: metav1.ObjectMeta{GenerateName: pod.Name + ".", Namespace: pod.Namespace},
		InvolvedObject: corev1.ObjectReference{
			APIVersion: "v1", Kind: "Pod", Namespace: pod.Namespace, Name: pod.Name, UID: pod.UID, ResourceVersion: pod.ResourceVersion,
		},
		Type: corev1.EventTypeWarning, Reason: wish.eventReason, Message: wish.message, Count: 1,
		FirstTimestamp: now, LastTimestamp: now, Source: corev1.EventSource{Component: wish.eventSource, Host: nodeName},
	}, metav1.CreateOptions{})
	return err
}

func (n *node) podIP() string {
	i := n.lastIP.Add(1) + 1
	return net.IPv4(10, 244, byte(i>>8), byte(i)).String()
}
