package main

import (
	"context"
	"fmt"
	"strings"

	controllers "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	"k8s.io/kubernetes/cmd/kube-controller-manager/app/options"
)

// What tests of applications need. The node sends no heartbeat, so node-lifecycle-controller must not run. Without the
// protection controllers, claims and volumes would keep their finalizer for ever.
var controllerNames = []string{
	"namespace-controller", "garbage-collector-controller", "resourcequota-controller",
	"serviceaccount-controller", "serviceaccount-token-controller",
	"root-ca-certificate-publisher-controller", "clusterrole-aggregation-controller",
	"deployment-controller", "replicaset-controller", "statefulset-controller", "daemonset-controller",
	"job-controller", "cronjob-controller", "ttl-after-finished-controller",
	"endpoints-controller", "endpointslice-controller",
	"persistentvolumeclaim-protection-controller", "persistentvolume-protection-controller",
}

func (c *cluster) startControllers(ctx context.Context) error {
	manager, err := options.NewKubeControllerManagerOptions()
	if err != nil {
		return err
	}
	known, off, aliases := controllers.KnownControllers(), controllers.ControllersDisabledByDefault(), controllers.ControllerAliases()
	if err := parse("kube-controller-manager", manager.Flags(known, off, aliases), []string{
		"--kubeconfig=" + c.path(componentKubeConfig),
		"--controllers=" + strings.Join(controllerNames, ","),
		"--leader-elect=false",
		"--secure-port=0",
		"--use-service-account-credentials=false",
		"--service-account-private-key-file=" + c.path("pki/sa.key"),
		"--root-ca-file=" + c.path("pki/ca.crt"),
		"--kube-api-qps=5000", "--kube-api-burst=5000", // the default of 20 a second is for clusters of many nodes
	}); err != nil {
		return err
	}
	config, err := manager.Config(ctx, known, off, aliases)
	if err != nil {
		return err
	}
	go func() {
		c.failed <- fmt.Errorf("kube-controller-manager ended: %v", controllers.Run(ctx, config.Complete()))
	}()
	return nil
}
