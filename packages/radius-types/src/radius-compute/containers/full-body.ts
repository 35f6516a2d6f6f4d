import type { JsonObject } from "@rad/core";
import { inGroup, recipeBackedBody } from "../../testing/ids.ts";

const probe = {
  exec: { command: ["true"] },
  httpGet: { path: "/", port: 80, httpHeaders: [{ name: "a", value: "b" }], scheme: "http" },
  tcpSocket: { port: 80 },
  initialDelaySeconds: 1,
  terminationGracePeriodSeconds: 1,
  periodSeconds: 1,
  timeoutSeconds: 1,
  failureThreshold: 1,
  successThreshold: 1,
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
        readinessProbe: probe,
        livenessProbe: probe,
      },
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
      metrics: [{ kind: "custom", customMetric: "m", target: { averageUtilization: 50, averageValue: 1, value: 2 } }],
    },
    extensions: { daprSidecar: { appId: "web", appPort: 80, config: "c" } },
    platformOptions: { kubernetes: { nodeSelector: { disk: "ssd" } } },
  },
];
