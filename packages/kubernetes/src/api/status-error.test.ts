import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "@rad/core";
import { kubeStatus } from "../testing/stand-in-server.ts";
import type { ApiCall } from "./api-client.ts";
import { statusError } from "./status-error.ts";

const call: ApiCall = {
  method: "PATCH",
  path: "/apis/apps/v1/namespaces/shop/deployments/web",
  subject: "Deployment 'web' in namespace 'shop'",
  signal: new AbortController().signal,
};
const cluster = "the cluster 'dev'";

interface Case {
  readonly status: number;
  readonly message: string;
  readonly reason?: string;
  readonly causes?: JsonObject[];
  readonly code: string;
  readonly says: RegExp;
  readonly transient?: boolean;
}

/** Messages as API servers send them; those that a test provokes from a real one are in `refusals.slow.test.ts`. */
const cases: Record<string, Case> = {
  "a webhook that denies": {
    status: 400,
    message: 'admission webhook "policy.example.com" denied the request: images come from our registry',
    code: "Forbidden",
    says: /refused by the admission webhook 'policy\.example\.com': images come from our registry/,
  },
  "a webhook that denies without a word": {
    status: 403,
    message: 'admission webhook "policy.example.com" denied the request without explanation',
    code: "Forbidden",
    says: /refused by the admission webhook 'policy\.example\.com'/,
  },
  "a webhook that takes too long": {
    status: 500,
    message:
      'Internal error occurred: failed calling webhook "slow.example.com": failed to call webhook: Post "https://slow.svc:443/?timeout=10s": context deadline exceeded',
    code: "ServiceUnavailable",
    says: /the admission webhook 'slow\.example\.com' of the cluster 'dev' does not answer: .*deadline exceeded/,
    transient: true,
  },
  "an API server that does not know the range of Services yet": {
    status: 422,
    message: 'Service "web" is invalid: <object>: failed to allocate a serviceIP for Service "web": range is full',
    code: "ServiceUnavailable",
    says: /has no address left for Services, or is just starting/,
    transient: true,
  },
  "a quota that asks for limits": {
    status: 403,
    message: 'pods "web" is forbidden: failed quota: compute: must specify limits.cpu for: web',
    code: "Forbidden",
    says: /refused by the quota 'compute': must specify limits\.cpu/,
  },
  "a limit range": {
    status: 403,
    reason: "Forbidden",
    message: 'pods "web" is forbidden: maximum cpu usage per Container is 1, but limit is 2',
    code: "Forbidden",
    says: /refused by the cluster 'dev': .*maximum cpu usage/,
  },
  "an account without a namespaced right": {
    status: 403,
    message:
      'deployments.apps "web" is forbidden: User "system:serviceaccount:radius:rp" cannot patch resource "deployments" in API group "apps" in the namespace "shop"',
    code: "Forbidden",
    says: /'system:serviceaccount:radius:rp' may not patch deployments\.apps in the namespace 'shop'.*the verb 'patch' for 'deployments\.apps'/,
  },
  "an account without a right to a path": {
    status: 403,
    message: 'forbidden: User "system:anonymous" cannot get path "/apis"',
    code: "Forbidden",
    says: /'system:anonymous' may not get \/apis in the cluster 'dev'/,
  },
  "an object that etcd does not take": {
    status: 500,
    message: "etcdserver: request is too large",
    code: "RequestEntityTooLarge",
    says: /is too large for Kubernetes\. Split it/,
  },
  "annotations that are too large together": {
    status: 422,
    message: "Too long",
    causes: [
      {
        reason: "FieldValueTooLong",
        message: "Too long: may not be more than 262144 bytes",
        field: "metadata.annotations",
      },
    ],
    code: "RequestEntityTooLarge",
    says: /too large for Kubernetes \(metadata\.annotations\)/,
  },
  "a label that is too long": {
    status: 422,
    message: "Too long",
    causes: [
      { reason: "FieldValueTooLong", message: "Too long: may not be more than 63 bytes", field: "metadata.labels" },
    ],
    code: "BadRequest",
    says: /is not valid: metadata\.labels: Too long/,
  },
  "an object that changed meanwhile": {
    status: 409,
    reason: "Conflict",
    message: "the object has been modified; please apply your changes to the latest version and try again",
    code: "Conflict",
    says: /was changed by somebody else at the same time/,
    transient: true,
  },
  "an object that is there already": {
    status: 409,
    reason: "AlreadyExists",
    message: 'deployments.apps "web" already exists',
    code: "Conflict",
    says: /is there already/,
  },
  "a version that is no more": {
    status: 410,
    reason: "Expired",
    message: "too old resource version: 1 (100)",
    code: "PreconditionFailed",
    says: /no longer has that version/,
  },
  "a server that starts": {
    status: 503,
    message: "apiserver not ready",
    code: "ServiceUnavailable",
    says: /the cluster 'dev' failed \(HTTP 503\): apiserver not ready/,
    transient: true,
  },
  "a server that is too slow": {
    status: 504,
    reason: "Timeout",
    message: "Timeout: request did not complete within the allotted timeout",
    code: "ServiceUnavailable",
    says: /HTTP 504/,
    transient: true,
  },
  "an unknown refusal": { status: 415, message: "unsupported", code: "BadRequest", says: /\(HTTP 415\): unsupported/ },
};
for (const [name, { status, message, reason, causes, code, says, transient = false }] of Object.entries(cases)) {
  test(`the error for ${name}`, () => {
    const body = kubeStatus(status, message, { reason, details: { causes } });

    const error = statusError({ call, status, body, cluster });

    assert.equal(error.code, code);
    assert.equal(error.transient, transient);
    assert.match(error.message, says);
    assert.ok(error.message.startsWith("Deployment 'web' in namespace 'shop'"), error.message);
  });
}

test("the version that is no more is told by its status, too", () => {
  assert.equal(statusError({ call, status: 410, body: {}, cluster }).status, 410);
});

test("an answer of something in between says what its status says", () => {
  const error = statusError({ call, status: 502, body: undefined, cluster });

  assert.equal(error.code, "ServiceUnavailable");
  assert.equal(error.transient, true);
});

test("every conflict has its field and its owner", () => {
  const conflict = (field: string, owner: string): JsonObject => ({
    reason: "FieldManagerConflict",
    message: `conflict with "${owner}" using apps/v1 at 2026-01-01T00:00:00Z`,
    field,
  });
  const causes = [conflict(".spec.replicas", "hpa"), conflict(".metadata.labels.app", "kubectl-edit")];

  const error = statusError({
    call,
    status: 409,
    body: kubeStatus(409, "Apply failed", { details: { causes } }),
    cluster,
  });

  assert.match(error.message, /spec\.replicas \(owned by 'hpa'\), metadata\.labels\.app \(owned by 'kubectl-edit'\)/);
  assert.equal(error.details.length, 2);
  assert.equal(error.transient, false);
});

test("no error about a Secret repeats its values", () => {
  const clear = "canary-51b2-value";
  const encoded = Buffer.from(clear).toString("base64");
  const secret: ApiCall = {
    ...call,
    path: "/api/v1/namespaces/shop/secrets/db",
    subject: "Secret 'db' in namespace 'shop'",
    body: {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "db", namespace: "shop" },
      data: { password: encoded },
    },
  };
  const causes = [
    { reason: "FieldValueInvalid", message: `Invalid value: "${clear}": is wrong`, field: "data[password]" },
  ];
  const typed = `failed to create typed patch object (shop/db; /v1, Kind=Secret): .data.password: expected string, got &value.valueUnstructured{Value:"${encoded}"}`;
  const answers = [
    kubeStatus(422, `Secret "db" is invalid: data[password]: Invalid value: "${clear}"`, { details: { causes } }),
    kubeStatus(400, typed),
    kubeStatus(500, typed),
    kubeStatus(400, `admission webhook "w" denied the request: ${clear} and ${encoded} are weak`),
    kubeStatus(403, `something ${clear}`),
    kubeStatus(503, `something ${encoded}`),
    kubeStatus(409, `something ${encoded}`),
  ];
  for (const body of answers) {
    const error = statusError({ call: secret, status: body["code"] as number, body, cluster });

    const text = `${error.message} ${String(error.stack)} ${JSON.stringify(error)} ${String(error.cause)}`;
    assert.ok(!text.includes(clear) && !text.includes(encoded), text);
    assert.match(error.message, /Secret 'db'/);
  }
  const [first] = answers;
  assert.match(
    statusError({ call: secret, status: 422, body: first, cluster }).message,
    /data\[password\]: the value is/,
  );
});
