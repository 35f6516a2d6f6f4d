import type { JsonObject } from "@rad/core";
import { applicationId, environmentId, inGroup, recipeBackedBody } from "../../testing/ids.ts";

const times = {
  initialDelaySeconds: 1,
  periodSeconds: 1,
  timeoutSeconds: 1,
  failureThreshold: 1,
  successThreshold: 1,
};
const probes = {
  http: { httpGet: { path: "/", port: 80, httpHeaders: [{ name: "a", value: "b" }], scheme: "http" }, ...times },
  tcp: { tcpSocket: { port: 80 } },
  exec: { exec: { command: ["true"] } },
};

export const fullBodies: readonly JsonObject[] = [
  {
    ...recipeBackedBody,
    containers: {
      web: {
        image: "registry.example/web:1",
        initContainer: false,
        command: ["/bin/sh"],
        args: ["-c"],
        env: { A: { value: "b" }, C: { valueFrom: { secretKeyRef: { secretName: "s", key: "k" } } } },
        workingDir: "/app",
        resources: { requests: { cpu: "0.5", memoryInMib: 64 }, limits: { cpu: "1", memoryInMib: 128 } },
        ports: { web: { containerPort: 80, protocol: "TCP" } },
        volumeMounts: [{ volumeName: "data", mountPath: "/data" }],
        readinessProbe: probes.http,
        livenessProbe: { ...probes.http, terminationGracePeriodSeconds: 1 },
      },
      tcp: { image: "registry.example/tcp:1", readinessProbe: probes.tcp, livenessProbe: probes.tcp },
      exec: { image: "registry.example/exec:1", readinessProbe: probes.exec, livenessProbe: probes.exec },
    },
    volumes: {
      data: {
        persistentVolume: { resourceId: inGroup("Radius.Compute/persistentVolumes/v"), accessMode: "ReadWriteOnce" },
      },
      keys: { secretName: "keys" },
      cache: { emptyDir: { medium: "memory" } },
    },
    restartPolicy: "Always",
    replicas: 2,
    autoScaling: {
      maxReplicas: 5,
      metrics: [
        { kind: "cpu", target: { averageUtilization: 50 } },
        { kind: "memory", target: { averageValue: 64 } },
        { kind: "custom", customMetric: "m", target: { value: 2 } },
      ],
    },
    extensions: { daprSidecar: { appId: "web", appPort: 80, config: "c" } },
    platformOptions: { kubernetes: { nodeSelector: { disk: "ssd" } } },
  },
  {
    environment: environmentId,
    application: applicationId,
    // Kubernetes refuses it there, and so does the renderer.
    containers: { web: { image: "web:1", readinessProbe: { ...probes.exec, terminationGracePeriodSeconds: 1 } } },
  },
];
