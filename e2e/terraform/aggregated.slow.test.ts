// The installer through a real API server with an APIService, as in a cluster: the caller is whom the front proxy names.
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { request as httpsRequest } from "node:https";
import path from "node:path";
import { after, before, it } from "node:test";
import { createCa, createLeaf } from "@rad/artifacts/testing";
import type { Certificate } from "@rad/artifacts/testing";
import { until } from "@rad/core/testing";
import { ownTestCluster, RefusedRequest } from "@rad/kubernetes/testing";
import type { OwnTestCluster } from "@rad/kubernetes/testing";
import type { ServerProcess } from "../support/server-process.ts";
import { openRig } from "./installer-rig.ts";
import type { InstallerRig } from "./installer-rig.ts";
import type { InstallerStatus } from "./installer-api.ts";

const base = "/apis/api.ucp.dev/v1alpha3";
const installer = `${base}/installer/terraform`;
const rules = [{ apiGroups: ["api.ucp.dev"], resources: ["*"], verbs: ["*"] }];

let cluster: OwnTestCluster;
let rig: InstallerRig;
let server: ServerProcess;
let frontProxyCa: string;
const serverCa = createCa("authority of the control plane");
before(async () => {
  [cluster, rig] = await Promise.all([ownTestCluster(), openRig("sqlite")]);
  frontProxyCa = path.join(path.dirname(cluster.caFile), "front-proxy-ca.crt");
  const leaf = createLeaf("radius", serverCa);
  await writeFile(path.join(rig.database.folder, "tls.crt"), leaf.cert);
  await writeFile(path.join(rig.database.folder, "tls.key"), leaf.key);
  await rig.mirror.publish("terraform", "1.6.4");
  server = await rig.database.startServer({
    ...rig.config,
    server: { tlsCertificateDirectory: rig.database.folder },
    authentication: { frontProxy: { caFile: frontProxyCa, allowedNames: ["front-proxy-client"] } },
    authorization: {
      assignments: [
        {
          role: "radius-admin",
          subject: "proxy:system:serviceaccount:default:installer",
          group: undefined,
          scope: "/",
        },
        { role: "radius-reader", subject: "proxy:system:serviceaccount:default:reader", group: undefined, scope: "/" },
      ],
    },
  });
  await registerApiService(Number(new URL(server.url).port));
});
after(async () => {
  await server[Symbol.asyncDispose]();
  await rig[Symbol.asyncDispose]();
  await cluster[Symbol.asyncDispose]();
});

it("installs, shows and uninstalls behind the API server, with the rights of the cluster's user", async () => {
  const admin = cluster.as(await tokenOf("installer"));
  const reader = cluster.as(await tokenOf("reader"));
  const stranger = cluster.as(await tokenOf("stranger"));

  const accepted = (await admin("POST", `${installer}/install`, { version: "1.6.4" })) as { status: string };
  const status = await until(
    () => "Terraform is installed",
    async () => {
      const found = (await reader("GET", `${installer}/status`)) as InstallerStatus;
      return found.state === "ready" && found;
    },
    { timeoutMs: 60_000 },
  );

  assert.equal(accepted.status, "started");
  assert.equal(status.currentVersion, "1.6.4");
  await refused(reader("POST", `${installer}/uninstall`, {}), "Radius.Core/installer/write");
  await refused(reader("POST", `${installer}/install`, { version: "1.6.4" }), "Radius.Core/installer/write");
  await refused(stranger("GET", `${installer}/status`), "Radius.Core/installer/read");
  await admin("POST", `${installer}/uninstall?api-version=2023-10-01-preview`, {});
});

it("leaves no objects of its own in the cluster", async () => {
  const jobs = await cluster.request<{ items: unknown[] }>("GET", "/apis/batch/v1/jobs");
  const crds = await cluster.request<{ items: unknown[] }>(
    "GET",
    "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
  );
  assert.deepEqual([jobs.items, crds.items], [[], []]);
});

for (const [who, certificate] of [
  ["without a client certificate", undefined],
  [
    "with a certificate of another authority of the same name",
    createLeaf("front-proxy-client", createCa("front-proxy-ca")),
  ],
  ["with a certificate of the control plane's authority", createLeaf("front-proxy-client", serverCa)],
] as const) {
  it(`believes no headers of the front proxy from a caller ${who}`, async () => {
    const headers = { "x-remote-user": "system:serviceaccount:default:installer", "x-remote-group": "system:masters" };

    for (const [method, action] of [
      ["GET", "status"],
      ["POST", "install"],
      ["POST", "uninstall"],
    ] as const) {
      const status = await statusOfDirect(method, `${installer}/${action}`, headers, certificate);
      // OpenSSL may report a forged signature in the middle of the request, which is the end of it: 400.
      assert.ok(status === 401 || (status === 400 && certificate !== undefined), `${method} ${action}: ${status}`);
    }
  });
}

it("the API server passes on no headers that a caller forged", async () => {
  const token = await tokenOf("forger");
  const { url, caFile } = cluster;
  const status = await new Promise((resolve, reject) => {
    httpsRequest(
      `${url}${installer}/status`,
      {
        headers: {
          authorization: `Bearer ${token}`,
          "x-remote-user": "system:serviceaccount:default:installer",
          "x-remote-group": "system:masters",
        },
        ca: ca.get(caFile),
      },
      (response) => {
        response.resume();
        resolve(response.statusCode);
      },
    )
      .on("error", reject)
      .end();
  });
  assert.equal(status, 403);
});

const ca = new Map<string, Buffer>();

async function tokenOf(name: string): Promise<string> {
  ca.set(cluster.caFile, await readFile(cluster.caFile));
  const config = await readFile(await cluster.serviceAccount({ name, rules }), "utf8");
  return /token: "?([^"\s]+)/u.exec(config)?.[1] ?? "";
}

async function refused(answer: Promise<unknown>, permission: string): Promise<void> {
  await assert.rejects(answer, (error) => {
    assert.ok(error instanceof RefusedRequest);
    assert.equal(error.status, 403);
    assert.ok(error.message.includes(permission), error.message);
    return true;
  });
}

/** A Service of another name for this machine, since nothing routes the addresses of Services. */
async function registerApiService(port: number): Promise<void> {
  const namespace = await cluster.namespace("radius");
  await cluster.request("POST", `/api/v1/namespaces/${namespace}/services`, {
    metadata: { name: "radius" },
    spec: { type: "ExternalName", externalName: "localhost", ports: [{ port }] },
  });
  await cluster.request("POST", "/apis/apiregistration.k8s.io/v1/apiservices", {
    metadata: { name: "v1alpha3.api.ucp.dev" },
    spec: {
      group: "api.ucp.dev",
      version: "v1alpha3",
      groupPriorityMinimum: 1000,
      versionPriority: 15,
      insecureSkipTLSVerify: true,
      service: { name: "radius", namespace, port },
    },
  });
  let conditions: unknown;
  await until(
    () => `the API service is available; it says ${JSON.stringify(conditions)}`,
    async () => {
      const { status } = await cluster.request<{ status: { conditions?: { type: string; status: string }[] } }>(
        "GET",
        "/apis/apiregistration.k8s.io/v1/apiservices/v1alpha3.api.ucp.dev",
      );
      conditions = status.conditions;
      return status.conditions?.some(({ type, status: is }) => type === "Available" && is === "True");
    },
    { timeoutMs: 60_000 },
  );
}

/** Straight to the control plane, as somebody who is not the front proxy. */
async function statusOfDirect(
  method: string,
  target: string,
  headers: Readonly<Record<string, string>>,
  certificate: Certificate | undefined,
): Promise<number | undefined> {
  const options = {
    method,
    headers,
    rejectUnauthorized: false,
    ...(certificate === undefined ? {} : { cert: certificate.cert, key: certificate.key }),
  };
  return await new Promise((resolve, reject) => {
    httpsRequest(`${server.url}${target}`, options, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on("error", reject)
      .end();
  });
}
