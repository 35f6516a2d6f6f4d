/** What people read when a real API server refuses, for the reasons that clusters have. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { testCluster } from "@rad/kubernetes/testing";
import type { TestCluster } from "@rad/kubernetes/testing";
import { ApiError } from "@rad/core";
import type { JsonObject } from "@rad/core";
import type { KubernetesObject } from "../kubernetes-object.ts";
import { nameOf } from "../kubernetes-object.ts";
import type { ObjectTarget } from "../object-target.ts";
import { openCluster } from "./open-cluster.ts";

const options = { signal: new AbortController().signal };
const cluster = await testCluster();

async function openTarget(kubeConfig = cluster.kubeConfig): Promise<ObjectTarget & AsyncDisposable> {
  return await openCluster({ kind: "kubeConfig", file: kubeConfig });
}

function configMap(namespace: string, data: Record<string, string> = {}, name = "settings"): KubernetesObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace }, data };
}

function deployment(namespace: string, container: JsonObject = {}, spec: JsonObject = {}): KubernetesObject {
  const labels = { app: "web" };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "web", namespace },
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "web", image: "web:1", ...container }] } },
      ...spec,
    },
  };
}

function pod(namespace: string): KubernetesObject {
  const spec = { containers: [{ name: "web", image: "web:1", securityContext: { privileged: true } }] };
  return { apiVersion: "v1", kind: "Pod", metadata: { name: "web", namespace }, spec };
}

async function refusal(work: Promise<unknown>): Promise<ApiError> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof ApiError, `not refused: ${String(error)}`);
  return error;
}

/** Definitions that take effect a moment after they are stored. */
async function refusalInTime(work: () => Promise<unknown>): Promise<ApiError> {
  for (let left = 100; ; left -= 1) {
    try {
      await work();
      assert.notEqual(left, 0, "not refused");
      await delay(100);
    } catch (error) {
      assert.ok(error instanceof ApiError, String(error));
      return error;
    }
  }
}

test("fields that somebody else has set are named with their owner", async () => {
  await using target = await openTarget();
  const namespace = await cluster.namespace();
  await target.apply(deployment(namespace, {}, { replicas: 1 }), options);
  const path = `/apis/apps/v1/namespaces/${namespace}/deployments/web?fieldManager=autoscaler`;
  await cluster.request("PATCH", path, { spec: { replicas: 5 } });

  const error = await refusal(target.apply(deployment(namespace, {}, { replicas: 2 }), options));

  assert.equal(error.code, "Conflict");
  assert.equal(error.transient, false);
  assert.match(error.message, /Deployment 'web' in namespace '.*'.*spec\.replicas \(owned by 'autoscaler'\)/);
  assert.deepEqual(
    error.details.map(({ target: field }) => field),
    [".spec.replicas"],
  );
  assert.equal((await target.apply(deployment(namespace), options)).change, "changed", "left to its owner");
});

test("a quota that is exceeded is named with its numbers", async () => {
  await using target = await openTarget();
  const namespace = await cluster.namespace();
  await cluster.request("POST", `/api/v1/namespaces/${namespace}/resourcequotas`, {
    metadata: { name: "small" },
    spec: { hard: { "count/secrets": "0" } },
  });

  const secret = { apiVersion: "v1", kind: "Secret", metadata: { name: "one", namespace }, data: {} };
  const error = await refusalInTime(async () => {
    await target.apply(secret, options);
    await target.delete(nameOf(secret), options);
  });

  assert.equal(error.code, "Forbidden");
  assert.match(error.message, /Secret 'one' .* exceeds the quota 'small' \(requested: count\/secrets=1, .*limited: /);
});

test("a policy that refuses is named with what it says", async () => {
  await using target = await openTarget();
  const namespace = await cluster.namespace();
  await addPolicy(namespace);

  const error = await refusalInTime(async () => {
    await target.apply(configMap(namespace), options);
    await target.delete(nameOf(configMap(namespace)), options);
  });

  assert.equal(error.code, "Forbidden");
  assert.match(
    error.message,
    /refused by the ValidatingAdmissionPolicy 'policy-.*' .*: nothing may be configured here/,
  );
});

async function addPolicy(namespace: string): Promise<void> {
  const name = `policy-${namespace}`;
  const group = "/apis/admissionregistration.k8s.io/v1";
  await cluster.request("POST", `${group}/validatingadmissionpolicies`, {
    metadata: { name },
    spec: {
      matchConstraints: {
        resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] }],
      },
      validations: [{ expression: "false", message: "nothing may be configured here" }],
    },
  });
  await cluster.request("POST", `${group}/validatingadmissionpolicybindings`, {
    metadata: { name },
    spec: {
      policyName: name,
      validationActions: ["Deny"],
      matchResources: { namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": namespace } } },
    },
  });
}

test("an admission webhook that is down is named, and may be up later", async () => {
  await using target = await openTarget();
  const namespace = await cluster.namespace();
  const configurations = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";
  const name = `down-${namespace}`;
  await cluster.request("POST", configurations, {
    metadata: { name },
    webhooks: [
      {
        name: "guard.example.com",
        clientConfig: { url: "https://127.0.0.1:1/" },
        rules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] }],
        namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": namespace } },
        sideEffects: "None",
        admissionReviewVersions: ["v1"],
        timeoutSeconds: 2,
      },
    ],
  });
  try {
    const error = await refusalInTime(async () => {
      await target.apply(configMap(namespace), options);
      await target.delete(nameOf(configMap(namespace)), options);
    });

    assert.equal(error.code, "ServiceUnavailable");
    assert.equal(error.transient, true);
    assert.match(error.message, /the admission webhook 'guard\.example\.com' .* does not answer/);
  } finally {
    await cluster.request("DELETE", `${configurations}/${name}`);
  }
});

test("pods that a security level forbids are refused with its name", async () => {
  await using target = await openTarget();
  const namespace = await cluster.namespace();
  await cluster.request("PATCH", `/api/v1/namespaces/${namespace}`, {
    metadata: { labels: { "pod-security.kubernetes.io/enforce": "restricted" } },
  });

  const error = await refusalInTime(async () => {
    await target.apply(pod(namespace), options);
    await target.delete(nameOf(pod(namespace)), options);
  });

  assert.equal(error.code, "Forbidden");
  assert.match(error.message, /violates the pod security level 'restricted:latest': privileged/);
});

const missing = {
  "projectcontour.io/v9": { kind: "HTTPProxy", install: /Install Contour/ },
  "dapr.io/v9": { kind: "Component", install: /Install Dapr/ },
  "secrets-store.csi.x-k8s.io/v9": { kind: "SecretProviderClass", install: /Install the Secrets Store CSI Driver/ },
  "gateway.networking.k8s.io/v9": { kind: "HTTPRoute", install: /Install the Gateway API/ },
  "somebody.example.com/v1": { kind: "Thing", install: /Install its CustomResourceDefinition/ },
  v1: { kind: "Thing", install: /correct apiVersion and kind/ },
};
test("a kind that the cluster does not have comes with what to install", async () => {
  await using target = await openTarget();
  for (const [apiVersion, { kind, install }] of Object.entries(missing)) {
    const object = { apiVersion, kind, metadata: { name: "web", namespace: "default" } };

    const error = await refusal(target.apply(object, options));

    assert.equal(error.code, "BadRequest");
    assert.ok(error.message.includes(`does not serve ${kind} of ${apiVersion}`), error.message);
    assert.match(error.message, install);
    await assert.rejects(target.preview(object, options), { code: "BadRequest" });
  }
  assert.equal(await target.serves("somebody.example.com", "Thing", options), false);
});

test("a kind is found as soon as its definition is installed, and gone with it", async () => {
  await using target = await openTarget();
  const group = `g${randomBytes(4).toString("hex")}.example.com`;
  const thing = {
    apiVersion: `${group}/v1`,
    kind: "Thing",
    metadata: { name: "one", namespace: "default" },
    spec: { size: 1 },
  };
  await assert.rejects(target.apply(thing, options), { code: "BadRequest" });
  const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  await cluster.request("POST", definitions, definition(group));

  for (;;) {
    try {
      await target.apply(thing, options);
      break;
    } catch (error) {
      assert.ok(error instanceof ApiError, String(error)); // a new definition is served after a moment
      await delay(50);
    }
  }
  assert.equal(await target.serves(group, "Thing", options), true);
  const unknown = { ...thing, spec: { size: 1, colour: "blue" } };
  const error = await refusal(target.apply(unknown, options));
  assert.equal(error.code, "BadRequest");
  assert.match(error.message, /spec\.colour/);
  await target.delete(nameOf(thing), options);
  assert.equal(await target.read(nameOf(thing), options), undefined);

  await target.apply(thing, options);
  const v2 = definition(group, "v2");
  const { metadata } = await cluster.request("GET", `${definitions}/things.${group}`);
  await cluster.request("PUT", `${definitions}/things.${group}`, { ...v2, metadata });
  for (;;) {
    const { versions } = await cluster.request<{ versions: { version: string }[] }>("GET", `/apis/${group}`);
    if (versions.every(({ version }) => version === "v2")) {
      break;
    }
    await delay(50);
  }
  assert.equal((await target.read(nameOf(thing), options))?.apiVersion, `${group}/v2`, "found in its new version");
  await target.delete(nameOf(thing), options);
  assert.equal(await target.read(nameOf(thing), options), undefined);

  await cluster.request("DELETE", `${definitions}/things.${group}`);
  await target.delete(nameOf(thing), options);
  assert.equal(await target.read(nameOf(thing), options), undefined);
});

/** With `v2`, the first version is no longer served. */
function definition(group: string, served = "v1"): JsonObject {
  const spec = { type: "object", properties: { size: { type: "integer" } } };
  const openAPIV3Schema = { type: "object", properties: { spec } };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `things.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { kind: "Thing", plural: "things" },
      versions: ["v1", "v2"].map((name) => ({
        name,
        served: name === served,
        storage: name === "v1",
        schema: { openAPIV3Schema },
      })),
    },
  };
}

test("an object that is too large is called so", async () => {
  await using target = await openTarget();
  const namespace = await cluster.namespace();

  for (const megabytes of [1.1, 2, 4]) {
    const large = configMap(namespace, { large: "x".repeat(megabytes * (1 << 20)) });
    const error = await refusal(target.apply(large, options));

    assert.equal(error.code, "RequestEntityTooLarge", `${megabytes} MiB`);
    assert.match(error.message, /ConfigMap 'settings' .* is too large/);
  }
});

test("what the account may not do is named: verb, kind, namespace and user", async () => {
  const namespace = await cluster.namespace();
  const rules = [{ apiGroups: [""], resources: ["configmaps"], verbs: ["get"] }];
  const account = await cluster.serviceAccount({ rules, namespace, name: "reader" });
  await using target = await openTarget(account);

  const error = await refusal(target.apply(configMap(namespace), options));

  assert.equal(error.code, "Forbidden");
  const user = `system:serviceaccount:${namespace}:reader`;
  assert.ok(error.message.includes(`the user '${user}' may not patch configmaps in the namespace '${namespace}'`));
  const absent = `absent-${namespace}`;
  const inAbsent = await refusal(target.apply(configMap(absent), options));
  assert.ok(inAbsent.message.includes(absent), inAbsent.message);
});

test("an account that may not write namespaces writes into those that there are", async () => {
  const namespace = await cluster.namespace();
  const verbs = ["get", "create", "patch", "delete"];
  const account = await cluster.serviceAccount({ rules: [{ apiGroups: [""], resources: ["configmaps"], verbs }] });
  await using target = await openTarget(account);

  assert.equal((await target.apply(configMap(namespace), options)).change, "created");
  await target.delete(nameOf(configMap(namespace)), options);
  const error = await refusal(target.apply(configMap(`absent-${namespace}`), options));
  assert.equal(error.code, "Forbidden");
  assert.match(
    error.message,
    /'absent-.* has no such namespace, and it cannot be created\. .* may not patch namespaces/,
  );
});

test("a namespace whose label belongs to somebody else stays as it is", async () => {
  await using target = await openTarget();
  const namespace = await cluster.namespace();
  const labels = { "app.kubernetes.io/managed-by": "Helm" };
  await cluster.request("PATCH", `/api/v1/namespaces/${namespace}?fieldManager=helm`, { metadata: { labels } });

  assert.equal((await target.apply(configMap(namespace), options)).change, "created");

  const found = await target.read({ group: "", kind: "Namespace", name: namespace }, options);
  assert.equal(found?.metadata.labels?.["app.kubernetes.io/managed-by"], "Helm");
});

test("ids name groups and kinds in any case", async () => {
  await using target = await openTarget();
  const namespace = await cluster.namespace();
  await target.apply(deployment(namespace, {}, { replicas: 0 }), options);

  const found = await target.read({ group: "Apps", kind: "deployment", namespace, name: "web" }, options);

  assert.equal(found?.kind, "Deployment");
});

test("a namespace that somebody deletes meanwhile is made anew", async () => {
  await using target = await openTarget();
  const namespace = `brief-${randomBytes(4).toString("hex")}`;
  await target.apply(configMap(namespace), options);
  await using other = await openTarget();
  await other.delete({ group: "", kind: "Namespace", name: namespace }, options);

  assert.equal((await target.apply(configMap(namespace), options)).change, "created");
});

test("credentials that the server does not accept are called so, with what to renew", async () => {
  const ca = await readFile(cluster.caFile, "utf8");
  const claims = Buffer.from(JSON.stringify({ exp: 1_700_000_000 })).toString("base64url");
  for (const [token, why] of [
    ["unknown", /does not accept the credentials/],
    [`e30.${claims}.e30`, /The token expired at 2023-11-14T22:13:20\.000Z/],
  ] as const) {
    await using target = await openCluster({ kind: "explicit", server: cluster.url, ca, token });

    const error = await refusal(target.apply(configMap("default"), options));

    assert.equal(error.code, "InvalidAuthenticationInfo");
    assert.notEqual(error.status, 401, "the caller's own credentials are fine");
    assert.match(error.message, why);
    assert.ok(!error.message.includes(token));
  }
});

test("a namespace that is being deleted is called so, and is made anew when it is gone", async () => {
  await using target = await openTarget();
  const namespace = await cluster.namespace();
  const held = { ...configMap(namespace, {}, "held") };
  held.metadata = { ...held.metadata, finalizers: ["example.com/hold"] };
  await target.apply(held, options);
  await cluster.request("DELETE", `/api/v1/namespaces/${namespace}`);

  const known = await refusal(target.apply(configMap(namespace), options));
  await using other = await openTarget();
  const unknown = await refusal(other.apply(configMap(namespace), options));
  for (const error of [known, unknown]) {
    assert.equal(error.code, "Conflict");
    assert.equal(error.transient, true);
    assert.match(error.message, new RegExp(`[Nn]amespace '${namespace}' of the cluster .* is being deleted`));
  }

  await cluster.request("PATCH", `/api/v1/namespaces/${namespace}/configmaps/held`, { metadata: { finalizers: null } });
  for (;;) {
    const applied = await target.apply(configMap(namespace), options).catch((error: unknown) => {
      assert.ok(error instanceof ApiError && error.transient, String(error));
    });
    if (applied !== undefined) {
      assert.equal(applied.change, "created");
      break;
    }
    await delay(200);
  }
});

const invalid: Record<string, { object: (namespace: string) => KubernetesObject; says: RegExp }> = {
  "a field that there is not": {
    object: (namespace) => deployment(namespace, { imagePolicy: "Always" }),
    says: /imagePolicy/,
  },
  "a value of the wrong type": {
    object: (namespace) => deployment(namespace, {}, { replicas: "three" }),
    says: /spec\.replicas/,
  },
  "a value out of range": {
    object: (namespace) => deployment(namespace, {}, { replicas: -1 }),
    says: /spec\.replicas/,
  },
  "a missing value": { object: (namespace) => deployment(namespace, { image: "" }), says: /containers\[0\]\.image/ },
  "a name that the kind cannot have": {
    object: (namespace) => configMap(namespace, {}, "Not_A_Name"),
    says: /metadata\.name/,
  },
  "a key that the kind cannot have": {
    object: (namespace) => configMap(namespace, { "a b": "" }),
    says: /data\[a b\]/,
  },
};
for (const [problem, { object, says }] of Object.entries(invalid)) {
  test(`${problem} is refused with its place, in a preview too`, async () => {
    await using target = await openTarget();
    const namespace = await cluster.namespace();

    for (const call of ["apply", "preview"] as const) {
      const error = await refusal(target[call](object(namespace), options));
      assert.equal(error.code, "BadRequest");
      assert.match(error.message, says);
    }
  });
}

test("an object needs a namespace exactly when its kind is in one", async () => {
  await using target = await openTarget();
  const withoutOne = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "settings" } };
  const withOne = { apiVersion: "v1", kind: "Namespace", metadata: { name: "settings", namespace: "default" } };

  assert.match((await refusal(target.apply(withoutOne, options))).message, /needs a namespace/);
  assert.match((await refusal(target.apply(withOne, options))).message, /is in no namespace/);
});

test("many objects cost one request for their namespace", async () => {
  await using target = await openTarget();
  const namespace = `many-${randomBytes(4).toString("hex")}`;
  const objects = Array.from({ length: 60 }, (_, index) => configMap(namespace, {}, `many-${index}`));

  await Promise.all(objects.map(async (object) => await target.apply(object, options)));

  const requests = await auditedRequests(cluster, `/api/v1/namespaces/${namespace}`);
  assert.equal(requests.filter((uri) => new URL(uri, cluster.url).pathname.endsWith(namespace)).length, 1);
  assert.equal(requests.length, objects.length + 1);
});

/** Those that have been answered. The log is written a moment later. */
async function auditedRequests({ auditLog }: TestCluster, prefix: string): Promise<string[]> {
  let last = -1;
  for (;;) {
    const lines = (await readFile(auditLog, "utf8")).split("\n").filter((line) => line.includes(prefix));
    const events = lines.map((line) => JSON.parse(line) as { stage: string; requestURI: string; userAgent: string });
    const found = events.filter(({ stage, userAgent }) => stage === "ResponseComplete" && userAgent === "radius-ts");
    if (found.length === last && last > 0) {
      return found.map(({ requestURI }) => requestURI);
    }
    last = found.length;
    await delay(300);
  }
}

test("what a controller writes into the status is no change of ours", async () => {
  await using target = await openTarget();
  const namespace = await cluster.namespace();
  const object = deployment(namespace);
  const { object: applied } = await target.apply(object, options);
  await target.ready(applied, options);

  assert.equal((await target.apply(object, options)).change, "unchanged");
  assert.equal((await target.preview(object, options)).change, "unchanged");
});

test("a Deployment is gone with its pods", async () => {
  await using target = await openTarget();
  const namespace = await cluster.namespace();
  const object = deployment(namespace, {}, { replicas: 3 });
  const { object: applied } = await target.apply(object, options);
  await target.ready(applied, options);

  await target.delete(nameOf(object), options);

  for (const path of [`/apis/apps/v1/namespaces/${namespace}/replicasets`, `/api/v1/namespaces/${namespace}/pods`]) {
    const { items } = await cluster.request<{ items: JsonObject[] }>("GET", path);
    assert.deepEqual(
      items.filter(({ metadata }) => !(metadata as JsonObject)["deletionTimestamp"]),
      [],
      path,
    );
  }
  assert.equal(await target.read(nameOf(object), options), undefined);
});

test("an object that does not go is named with what holds it", async () => {
  await using target = await openCluster({ kind: "kubeConfig", file: cluster.kubeConfig }, { deleteTimeoutMs: 500 });
  const namespace = await cluster.namespace();
  const object = configMap(namespace);
  object.metadata = { ...object.metadata, finalizers: ["example.com/hold"] };
  await target.apply(object, options);

  const error = await refusal(target.delete(nameOf(object), options));

  assert.equal(error.code, "Conflict");
  assert.match(error.message, /ConfigMap 'settings' .* 'example\.com\/hold'/);
  const release = delay(200).then(
    async () =>
      await cluster.request("PATCH", `/api/v1/namespaces/${namespace}/configmaps/settings`, {
        metadata: { finalizers: null },
      }),
  );
  await target.delete(nameOf(object), options);
  await release;
});

test("deleting waits without a watch for whoever may not watch", async () => {
  const namespace = await cluster.namespace();
  const rules = [{ apiGroups: [""], resources: ["configmaps"], verbs: ["get", "patch", "create", "delete"] }];
  await using target = await openTarget(await cluster.serviceAccount({ rules }));
  const object = configMap(namespace);
  object.metadata = { ...object.metadata, finalizers: ["example.com/hold"] };
  await target.apply(object, options);

  const path = `/api/v1/namespaces/${namespace}/configmaps/settings`;
  const release = delay(200).then(async () => await cluster.request("PATCH", path, { metadata: { finalizers: null } }));
  await target.delete(nameOf(object), options);
  await release;

  assert.equal(await target.read(nameOf(object), options), undefined);
});
