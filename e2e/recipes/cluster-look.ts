import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { gunzipSync, gzipSync } from "node:zlib";
import type { JsonObject } from "@rad/core";
import { RefusedRequest, type TestCluster } from "@rad/kubernetes/testing";

const versions: Readonly<Record<string, string>> = {
  core: "/api/v1",
  apps: "/apis/apps/v1",
  "rbac.authorization.k8s.io": "/apis/rbac.authorization.k8s.io/v1",
  "dapr.io": "/apis/dapr.io/v1alpha1",
};

/** Whether the API server has the object of an id. */
export async function exists(cluster: TestCluster, id: string): Promise<boolean> {
  const [, scope = "", apiGroup = "", kind = "", name = ""] =
    /^\/planes\/kubernetes\/local(.*)\/providers\/([^/]+)\/([^/]+)\/([^/]+)$/u.exec(id) ?? assert.fail(id);
  try {
    await cluster.request("GET", `${versions[apiGroup]}${scope}/${kind.toLowerCase()}s/${name}`);
    return true;
  } catch (error) {
    assert.ok(error instanceof RefusedRequest && error.status === 404, String(error));
    return false;
  }
}

/** Of a ConfigMap. */
export async function uidOf(cluster: TestCluster, namespace: string, name: string): Promise<string> {
  const { metadata } = await cluster.request<{ metadata: { uid: string } }>(
    "GET",
    `/api/v1/namespaces/${namespace}/configmaps/${name}`,
  );
  return metadata.uid;
}

interface Secret {
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly data?: Readonly<Record<string, string>>;
}

/** Names of states in the cluster that have something of the resource. */
export async function states(cluster: TestCluster, pattern: RegExp, resource: string): Promise<string[]> {
  const { items } = await cluster.request<{ items: readonly Secret[] }>(
    "GET",
    "/api/v1/secrets?labelSelector=tfstate%3Dtrue",
  );
  return items
    .filter(({ metadata }) => metadata.name.startsWith("tfstate-") && pattern.test(metadata.name))
    .filter((secret) => stateOf(secret).includes(`"${resource}-innermost"`))
    .map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
}

function stateOf({ data }: Secret): string {
  return gunzipSync(Buffer.from(data?.["tfstate"] ?? "", "base64")).toString();
}

/** Writes a state as a later version of Terraform might. @returns what restores it */
export async function withLaterFormat(cluster: TestCluster, place: string): Promise<() => Promise<void>> {
  const [space, name] = place.split("/");
  const url = `/api/v1/namespaces/${space}/secrets/${name}`;
  const secret = await cluster.request<Secret>("GET", url);
  const later = JSON.stringify({
    ...(JSON.parse(stateOf(secret)) as JsonObject),
    version: 5,
    terraform_version: "9.0.0",
  });
  const write = async (tfstate: string | undefined): Promise<void> => {
    await cluster.request("PATCH", url, { data: { tfstate } }, { contentType: "application/merge-patch+json" });
  };
  await write(gzipSync(later).toString("base64"));
  return () => write(secret.data?.["tfstate"]);
}

/** Deletes in the audit log, and who asked for them. */
export async function auditedDeletes(
  cluster: TestCluster,
): Promise<{ readonly name: string; readonly userAgent: string }[]> {
  const lines = (await readFile(cluster.auditLog, "utf8"))
    .split("\n")
    .filter((line) => line.includes('"verb":"delete"'));
  return lines.map((line) => {
    const { objectRef, userAgent } = JSON.parse(line) as { objectRef?: { name?: string }; userAgent?: string };
    return { name: objectRef?.name ?? "", userAgent: userAgent ?? "" };
  });
}
