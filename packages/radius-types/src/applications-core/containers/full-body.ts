import type { JsonObject } from "@rad/core";
import { applicationId, environmentId, inGroup } from "../../testing/ids.ts";
import { allExtensions } from "../../testing/extensions.ts";

const timing = { initialDelaySeconds: 1, failureThreshold: 3, periodSeconds: 10, timeoutSeconds: 2.5 };

export const fullBodies: readonly JsonObject[] = [
  {
    application: applicationId,
    environment: environmentId,
    container: {
      image: "registry.example/web:1",
      imagePullPolicy: "IfNotPresent",
      command: ["/bin/sh"],
      args: ["-c", "serve"],
      workingDir: "/app",
      env: {
        MODE: { value: "production" },
        TOKEN: { valueFrom: { secretRef: { source: inGroup("Applications.Core/secretStores/s"), key: "token" } } },
      },
      ports: { web: { containerPort: 3000, port: 80, protocol: "TCP", scheme: "http" } },
      readinessProbe: { kind: "httpGet", containerPort: 3000, path: "/ready", headers: { accept: "*/*" }, ...timing },
      livenessProbe: { kind: "tcp", containerPort: 3000, ...timing },
      volumes: {
        cache: { kind: "ephemeral", managedStore: "memory", mountPath: "/cache" },
        keys: {
          kind: "persistent",
          source: inGroup("Applications.Core/volumes/v"),
          permission: "write",
          mountPath: "/k",
        },
      },
    },
    connections: {
      cache: {
        source: inGroup("Applications.Datastores/redisCaches/cache"),
        disableDefaultEnvVars: true,
        iam: { kind: "azure", roles: ["Reader"] },
      },
    },
    identity: { kind: "userAssigned", oidcIssuer: "https://i.example", resource: "/r", managedIdentity: ["/i"] },
    extensions: allExtensions,
    resourceProvisioning: "internal",
    resources: [{ id: "/subscriptions/s/resourceGroups/g/providers/X.Y/z/n" }],
    restartPolicy: "Always",
    runtimes: {
      kubernetes: {
        base: "{apiVersion: v1, kind: ConfigMap, metadata: {name: settings}}",
        pod: { containers: [{ name: "log" }] },
      },
      aci: { gatewayID: "/g" },
    },
  },
  {
    application: applicationId,
    container: {
      image: "registry.example/web:1",
      readinessProbe: { kind: "exec", command: "true", ...timing },
      livenessProbe: { kind: "exec", command: "true" },
    },
  },
  {
    application: applicationId,
    container: {
      image: "registry.example/web:1",
      readinessProbe: { kind: "tcp", containerPort: 1 },
      livenessProbe: { kind: "httpGet", containerPort: 3000, path: "/", headers: { a: "b" } },
    },
  },
];
