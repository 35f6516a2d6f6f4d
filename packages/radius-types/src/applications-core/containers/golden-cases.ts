import type { JsonObject } from "@rad/core";
import { allExtensions } from "../../testing/extensions.ts";
import type { GoldenDependency, GoldenType } from "../../testing/golden-type.ts";
import { applicationId, environmentId, inGroup } from "../../testing/ids.ts";
import { containerRenderer } from "./render/render-container.ts";
import { containers } from "./schema.ts";

const image = "registry.example/web:1";
const azureEnvironment: JsonObject = {
  compute: {
    kind: "kubernetes",
    namespace: "prod",
    identity: { kind: "azure.com.workload", oidcIssuer: "https://issuer.example" },
  },
  providers: { azure: { scope: "/subscriptions/s/resourceGroups/rg" } },
};
const storage = "/subscriptions/s/resourceGroups/rg/providers/Microsoft.Storage/storageAccounts/files";

const redis: GoldenDependency = {
  id: inGroup("Applications.Datastores/redisCaches/cache"),
  values: { host: "cache.example", port: 6379, username: "app", tls: true },
  secretValues: { password: "s3cret", connectionString: "cache.example:6379,password=s3cret", url: "rediss://cache" },
};
const secretStore: GoldenDependency = {
  id: inGroup("Applications.Core/secretStores/tokens"),
  properties: { resource: "prod-shop/tokens" },
};

function vaultVolume(name: string, properties: JsonObject = {}): GoldenDependency {
  return {
    id: inGroup(`Applications.Core/volumes/${name}`),
    properties: {
      kind: "azure.com.keyvault",
      resource: `/subscriptions/s/resourceGroups/rg/providers/Microsoft.KeyVault/vaults/${name}-vault`,
      ...properties,
    },
    values: { csiobjectspec: `array:\n  - |\n    objectName: "${name}"\n` },
  };
}

function metadata(level: string): JsonObject {
  return {
    extensions: [
      {
        kind: "kubernetesMetadata",
        labels: { level, [level]: "yes", "app.kubernetes.io/part-of": level, "radapp.io/application": "stolen" },
        annotations: { "example.com/level": level, "radapp.io/secret-hash": "stolen" },
      },
    ],
  };
}

const base = `
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  creationTimestamp: null
  labels: { from: base, radapp.io/resource: base }
  annotations: { note: base }
spec:
  replicas: 3
  revisionHistoryLimit: 2
  selector:
    matchLabels: { tier: front }
  template:
    metadata:
      labels: { tier: front }
      annotations: { note: pod }
    spec:
      terminationGracePeriodSeconds: 5
      serviceAccountName: web
      containers:
        - name: proxy
          image: proxy:1
        - name: web
          image: base:1
          command: [base]
          workingDir: /base
          env:
            - { name: FROM_BASE, value: "1" }
            - { name: MODE, value: base }
          ports:
            - { containerPort: 3000, name: http, protocol: TCP }
            - { containerPort: 9100, name: metrics, protocol: TCP }
          volumeMounts:
            - { name: config, mountPath: /config }
            - { name: config, mountPath: /cache }
      volumes:
        - name: config
          configMap: { name: settings, defaultMode: 0644 }
status: {}
---
apiVersion: v1
kind: Service
metadata:
  name: web
  labels: { from: base }
spec:
  sessionAffinity: ClientIP
  ports:
    - { name: Web, port: 8080, targetPort: 3000 }
    - { name: metrics, port: 9100, targetPort: 9100 }
---
apiVersion: v1
kind: ServiceAccount
metadata:
  name: web
  annotations: { example.com/account: base }
automountServiceAccountToken: false
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: settings
data:
  mode: fast
---
apiVersion: v1
kind: Secret
metadata:
  name: keys
stringData:
  key: value
data:
  other: dmFsdWU=
`;

export const containerGoldens: GoldenType = {
  type: containers,
  renderer: containerRenderer,
  folder: new URL("goldens/", import.meta.url),
  unset: { "properties.identity": "refused from users: see validate.test.ts" },
  cases: [
    { name: "nothing but an image", properties: { application: applicationId, container: { image } } },
    {
      name: "names in mixed case",
      resourceName: "Web-Front",
      applicationId: inGroup("Applications.Core/applications/Shop"),
      properties: { application: applicationId, container: { image, ports: { web: { containerPort: 80 } } } },
    },
    {
      name: "every setting of the container itself",
      properties: {
        application: applicationId,
        environment: environmentId,
        restartPolicy: "Always",
        resourceProvisioning: "internal",
        runtimes: { aci: { gatewayID: "/subscriptions/s/gateway" } },
        container: {
          image,
          imagePullPolicy: "IfNotPresent",
          command: ["/bin/sh", "-c"],
          args: ["serve --fast"],
          workingDir: "/app",
        },
      },
    },
    {
      name: "ports",
      properties: {
        application: applicationId,
        container: {
          image,
          ports: {
            web: { containerPort: 3000, port: 80, protocol: "TCP", scheme: "http" },
            dns: { containerPort: 53, protocol: "UDP" },
            admin: { containerPort: 3000, port: 81 },
          },
        },
      },
    },
    {
      name: "probes",
      properties: {
        application: applicationId,
        container: {
          image,
          readinessProbe: {
            kind: "httpGet",
            containerPort: 3000,
            path: "/ready",
            headers: { "x-probe": "1", accept: "*/*" },
            initialDelaySeconds: 2.9,
            failureThreshold: 4,
            periodSeconds: 11,
            timeoutSeconds: 2.5,
          },
          livenessProbe: { kind: "exec", command: "cat /tmp/healthy  --quiet" },
        },
      },
    },
    {
      name: "probes of the other kinds",
      properties: {
        application: applicationId,
        container: {
          image,
          readinessProbe: { kind: "exec", command: "true" },
          livenessProbe: {
            kind: "tcp",
            containerPort: 3000,
            initialDelaySeconds: 1,
            failureThreshold: 1,
            periodSeconds: 1,
            timeoutSeconds: 1,
          },
        },
      },
    },
    {
      name: "probes with defaults",
      properties: {
        application: applicationId,
        container: {
          image,
          readinessProbe: { kind: "tcp", containerPort: 3000 },
          livenessProbe: { kind: "httpGet", containerPort: 3000, path: "/", headers: { a: "b" } },
        },
      },
    },
    {
      name: "environment variables",
      dependencies: [
        secretStore,
        {
          id: inGroup("Radius.Security/secrets/login"),
          outputResources: [
            { localId: "Secret", id: "/planes/kubernetes/local/namespaces/prod-shop/providers/core/Secret/login" },
          ],
        },
      ],
      properties: {
        application: applicationId,
        container: {
          image,
          env: {
            TOKEN: { valueFrom: { secretRef: { source: inGroup("Applications.Core/secretStores/tokens"), key: "t" } } },
            LOGIN: { valueFrom: { secretRef: { source: inGroup("Radius.Security/secrets/login"), key: "user" } } },
            PLAIN: { valueFrom: { secretRef: { source: "existing", key: "k" } } },
            MODE: { value: "production" },
            EMPTY: { value: "" },
          },
        },
      },
    },
    {
      name: "environment variables and a connection with sealed values",
      secrets: {
        "/properties/container/env/PASSWORD/value": "c4nary",
        "/properties/connections/api/source": "http://c4nary:80",
      },
      properties: {
        application: applicationId,
        container: { image, env: { PASSWORD: { value: "c4nary" }, MODE: { value: "production" } } },
        connections: { api: { source: "http://c4nary:80" } },
      },
    },
    {
      name: "connections",
      dependencies: [
        redis,
        {
          id: inGroup("Applications.Dapr/stateStores/state"),
          values: { componentName: "state" },
        },
        {
          id: inGroup("Radius.Data/postgreSqlDatabases/db"),
          properties: {
            application: applicationId,
            environment: environmentId,
            connections: {},
            codeReference: "app.bicep#L1",
            secrets: { hidden: true },
            status: { computedValues: { host: "db" } },
            provisioningState: "Succeeded",
            HOST: "second",
            size: 3.5,
            ports: [5432, 5433],
            tags: ["a", "b"],
            options: { ssl: true },
            isReady: true,
            nothing: null,
          },
          values: { host: "db.example", port: 5432 },
          secretValues: { password: "p4ss" },
        },
        { id: inGroup("Applications.Datastores/sqlDatabases/quiet"), values: { server: "unseen" } },
        { id: inGroup("Applications.Core/containers/back") },
      ],
      properties: {
        application: applicationId,
        container: { image, env: { CONNECTION_CACHE_HOST: { value: "explicit" } } },
        connections: {
          cache: { source: inGroup("Applications.Datastores/redisCaches/cache") },
          "my-state": { source: inGroup("Applications.Dapr/stateStores/state"), disableDefaultEnvVars: false },
          db: { source: inGroup("Radius.Data/postgreSqlDatabases/db") },
          quiet: { source: inGroup("Applications.Datastores/sqlDatabases/quiet"), disableDefaultEnvVars: true },
          back: { source: inGroup("Applications.Core/containers/back") },
          api: { source: "http://api:80/path" },
          bucket: { source: "/planes/aws/aws/accounts/1/regions/r/providers/AWS.S3/Bucket/b" },
          empty: { source: "" },
        },
      },
    },
    {
      name: "connections by URL alone need no Secret",
      properties: {
        application: applicationId,
        container: { image },
        connections: { api: { source: "https://user:pw@[::1]:8443?q" }, mq: { source: "amqp://mq:5672" } },
      },
    },
    {
      name: "ephemeral volumes",
      properties: {
        application: applicationId,
        container: {
          image,
          volumes: {
            temp: { kind: "ephemeral", managedStore: "disk", mountPath: "/tmp" },
            cache: { kind: "ephemeral", managedStore: "memory", mountPath: "/cache" },
          },
        },
      },
    },
    {
      name: "a Key Vault volume",
      environment: azureEnvironment,
      dependencies: [
        vaultVolume("Keys", {
          secrets: { a: { name: "a" } },
          keys: { k: { name: "k" } },
          certificates: { c: { name: "c" } },
        }),
      ],
      properties: {
        application: applicationId,
        container: {
          image,
          volumes: {
            one: {
              kind: "persistent",
              source: inGroup("Applications.Core/volumes/Keys"),
              permission: "read",
              mountPath: "/one",
            },
            two: { kind: "persistent", source: inGroup("Applications.Core/volumes/keys"), mountPath: "/two" },
          },
        },
      },
    },
    {
      name: "two Key Vaults in an environment of Radius.Core",
      environmentId: inGroup("Radius.Core/environments/env"),
      environment: {
        providers: {
          kubernetes: { namespace: "prod" },
          azure: {
            subscriptionId: "s",
            resourceGroupName: "rg",
            identity: { kind: "azure.com.workload", oidcIssuer: "https://issuer.example" },
          },
        },
      },
      applicationId: inGroup("Radius.Core/applications/shop"),
      dependencies: [vaultVolume("first", { secrets: { a: { name: "a" } } }), vaultVolume("second")],
      properties: {
        application: applicationId,
        container: {
          image,
          volumes: {
            a: { kind: "persistent", source: inGroup("Applications.Core/volumes/first"), mountPath: "/a" },
            b: { kind: "persistent", source: inGroup("Applications.Core/volumes/second"), mountPath: "/b" },
          },
        },
      },
    },
    {
      name: "Azure roles",
      environment: azureEnvironment,
      properties: {
        application: applicationId,
        container: { image },
        connections: {
          files: {
            source: storage,
            disableDefaultEnvVars: true,
            iam: { kind: "azure", roles: ["Storage Blob Data Reader", "Storage Queue Data Reader"] },
          },
          again: { source: storage, iam: { kind: "azure", roles: ["Storage Blob Data Reader"] } },
          unused: { source: storage, iam: { kind: "azure" } },
        },
      },
    },
    {
      name: "extensions of every kind",
      properties: { application: applicationId, container: { image }, extensions: allExtensions },
    },
    {
      name: "a Dapr sidecar with defaults and no replicas",
      properties: {
        application: applicationId,
        container: { image },
        extensions: [
          { kind: "manualScaling", replicas: 0 },
          { kind: "daprSidecar", appId: "web", appPort: 0 },
          { kind: "manualScaling", replicas: 5 },
        ],
      },
    },
    {
      name: "metadata from the environment, the application and the container",
      environment: { compute: { kind: "kubernetes", namespace: "prod" }, ...metadata("environment") },
      application: metadata("application"),
      dependencies: [redis],
      properties: {
        application: applicationId,
        container: { image, ports: { web: { containerPort: 80 } } },
        connections: { cache: { source: inGroup("Applications.Datastores/redisCaches/cache") } },
        ...metadata("container"),
      },
    },
    {
      name: "a base manifest",
      environment: { compute: { kind: "kubernetes", namespace: "prod" }, ...metadata("environment") },
      dependencies: [redis],
      properties: {
        application: applicationId,
        runtimes: { kubernetes: { base } },
        connections: { cache: { source: inGroup("Applications.Datastores/redisCaches/cache") } },
        container: {
          image,
          args: ["serve"],
          env: { MODE: { value: "production" } },
          ports: { web: { containerPort: 3000, port: 80 }, extra: { containerPort: 4000 } },
          volumes: { cache: { kind: "ephemeral", managedStore: "disk", mountPath: "/cache" } },
        },
      },
    },
    {
      name: "a base manifest with a Service and no ports",
      properties: {
        application: applicationId,
        container: { image },
        runtimes: {
          kubernetes: {
            base: "{apiVersion: v1, kind: Service, metadata: {name: web}, spec: {ports: [{port: 80, name: base}]}}",
          },
        },
      },
    },
    {
      name: "a patch of the pod",
      dependencies: [redis],
      properties: {
        application: applicationId,
        container: { image, ports: { web: { containerPort: 3000 } }, env: { MODE: { value: "production" } } },
        connections: { cache: { source: inGroup("Applications.Datastores/redisCaches/cache") } },
        runtimes: {
          kubernetes: {
            pod: {
              containers: [
                { name: "log", image: "log:1", volumeMounts: [{ name: "logs", mountPath: "/logs" }] },
                { name: "web", resources: { limits: { memory: "128Mi" } }, env: [{ name: "MODE", $patch: "delete" }] },
              ],
              volumes: [{ name: "logs", emptyDir: {} }],
              hostNetwork: true,
              topologySpreadConstraints: [{ topologyKey: "zone", maxSkew: 1, whenUnsatisfiable: "ScheduleAnyway" }],
              "$setElementOrder/containers": [{ name: "log" }, { name: "web" }],
            },
          },
        },
      },
    },
    {
      name: "references to existing resources",
      properties: {
        application: applicationId,
        container: { image },
        resources: [{ id: storage }, { id: "/other/id" }],
      },
    },
    {
      name: "manual provisioning",
      properties: {
        application: applicationId,
        container: { image },
        resourceProvisioning: "manual",
        connections: { broken: { source: "neither" } },
        resources: [
          { id: "/planes/kubernetes/local/namespaces/prod/providers/apps/Deployment/a" },
          { id: "/planes/kubernetes/local/namespaces/prod/providers/apps/Deployment/b" },
        ],
      },
    },
    {
      name: "an application with a namespace of its own",
      application: { extensions: [{ kind: "kubernetesNamespace", namespace: "own" }] },
      properties: { application: applicationId, container: { image } },
    },
  ],
};
