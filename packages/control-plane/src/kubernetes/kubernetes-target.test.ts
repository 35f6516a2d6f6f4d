import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "node:test";
import { systemClock } from "@rad/core";
import { type ContentOrder, recordAfterwards } from "@rad/deployments";
import { describeDeploymentTarget } from "@rad/deployments/testing";
import { openTemporaryStore } from "@rad/store/testing";
import { findInFiles } from "../testing/find-in-files.ts";
import { KubernetesTarget } from "./kubernetes-target.ts";
import { ObjectTargets } from "./object-targets.ts";

const can = { keepKeys: false, workLater: false, findByProperties: true };

describeDeploymentTarget("extension kubernetes on a folder", can, async () => {
  const manifests = await mkdtemp(join(tmpdir(), "manifests-"));
  const store = await openTemporaryStore();
  const open = () => recordAfterwards(new KubernetesTarget(folderTargets(manifests)), { store, clock: systemClock });
  return {
    target: open(),
    store,
    reopen: open,
    sample: (name, { course, properties, secret = "" }) => ({
      type: "contract.example.com/Box",
      apiVersion: "v1",
      id: undefined,
      name: undefined,
      extension: { name: "Kubernetes", version: "1.0.0", config: { namespace: "contract" } },
      body: {
        apiVersion: "contract.example.com/v1",
        kind: "Box",
        metadata: { name, ...(course === "refused" ? { namespace: [secret] } : {}) },
        properties: { ...properties, pin: secret },
      },
      secrets: course === "refused" ? ["/properties/pin", "/metadata/namespace"] : ["/properties/pin"],
    }),
    [Symbol.asyncDispose]: async () => {
      await store[Symbol.asyncDispose]();
      await rm(manifests, { recursive: true });
    },
  };
});

function folderTargets(manifests: string): ObjectTargets {
  return new ObjectTargets({ kubeConfig: undefined, context: undefined, inCluster: false, manifests });
}

function order(kind: string, content: Partial<ContentOrder> & { readonly body: ContentOrder["body"] }) {
  return {
    type: kind,
    apiVersion: "v1",
    id: undefined,
    name: undefined,
    extension: { name: "Kubernetes", version: "1.0.0", config: { namespace: "shop" } },
    requester: {
      caller: { kind: "token", subject: "token:test", groups: [] },
      correlationId: "test",
      traceparent: undefined,
      hide: () => {},
    },
    signal: new AbortController().signal,
    method: "PUT",
    secrets: [],
    onlyIfAbsent: false,
    key: "key",
    sentBefore: false,
    ...content,
  } as const;
}

it("objects are created in the namespace of the extension, unless they name one or their kind has none", async (test) => {
  const target = new KubernetesTarget(folderTargets(await folder(test)));
  const put = async (type: string, body: ContentOrder["body"]) => (await target.put(order(type, { body }))).id;

  assert.deepEqual(
    [
      await put("core/Service", { apiVersion: "v1", kind: "Service", metadata: { name: "web" } }),
      await put("core/Service", { apiVersion: "v1", kind: "Service", metadata: { name: "web", namespace: "other" } }),
      await put("core/Namespace", { apiVersion: "v1", kind: "Namespace", metadata: { name: "other" } }),
      await put("apps/Deployment", { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "web" } }),
    ],
    [
      "/planes/kubernetes/local/namespaces/shop/providers/core/Service/web",
      "/planes/kubernetes/local/namespaces/other/providers/core/Service/web",
      "/planes/kubernetes/local/providers/core/Namespace/other",
      "/planes/kubernetes/local/namespaces/shop/providers/apps/Deployment/web",
    ],
  );
});

it("a Secret is shown without its values, and none of a template's secrets gets into the folder", async (test) => {
  const manifests = await folder(test);
  const target = new KubernetesTarget(folderTargets(manifests));
  const canary = "canary-77d1";
  const secret = { apiVersion: "v1", kind: "Secret", metadata: { name: "s" }, stringData: { password: canary } };
  const map = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "m" }, data: { key: canary, plain: "seen" } };

  const sent = [
    await target.put(order("core/Secret", { body: secret })),
    await target.put(order("core/ConfigMap", { body: map, secrets: ["/data/key"] })),
    await target.preview(order("core/Secret", { body: secret })),
    await target.preview(
      order("core/ConfigMap", { body: { ...map, data: { key: `${canary}-2` } }, secrets: ["/data/key"] }),
    ),
    await target.read(order("core/ConfigMap", { body: map })),
  ];

  assert.doesNotMatch(JSON.stringify(sent), /canary/);
  assert.deepEqual(await findInFiles(manifests, canary), []);
  assert.notDeepEqual(await findInFiles(manifests, "seen"), []);
});

it("a template's context needs a kube config of the template's own", async (test) => {
  const target = new KubernetesTarget(folderTargets(await folder(test)));
  const body = { apiVersion: "v1", kind: "Service", metadata: { name: "web" } };
  const extension = { name: "Kubernetes", version: "1.0.0", config: { context: "production" } };

  await assert.rejects(target.put(order("core/Service", { body, extension })), {
    code: "BadRequest",
    message: /'production', but no kube config/,
  });
});

async function folder(test: { after(run: () => Promise<void>): void }): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "manifests-"));
  test.after(() => rm(path, { recursive: true, force: true }));
  return path;
}
