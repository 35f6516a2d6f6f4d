// The programs of KUBEBUILDER_ASSETS, for which links to our executable stand in: it acts as upstream's commands by name.
import assert from "node:assert/strict";
import { mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, it } from "node:test";
import { ownTestCluster } from "../own-test-cluster.ts";
import { buildServer } from "./build-server.ts";

let assets: string;
before(async () => {
  assets = await mkdtemp(path.join(tmpdir(), "rad-assets-"));
  const executable = await buildServer();
  await Promise.all(["etcd", "kube-apiserver"].map((name) => symlink(executable, path.join(assets, name))));
  process.env["KUBEBUILDER_ASSETS"] = assets;
});
after(async () => {
  delete process.env["KUBEBUILDER_ASSETS"];
  await rm(assets, { recursive: true });
});

it("runs the API server of KUBEBUILDER_ASSETS, with RBAC, and continues it after a stop", async () => {
  await using cluster = await ownTestCluster({ apiServerOnly: true });
  const namespace = await cluster.namespace("envtest");
  const configMaps = `/api/v1/namespaces/${namespace}/configmaps`;
  await cluster.request("POST", configMaps, { metadata: { name: "kept" } });
  await cluster.serviceAccount({ rules: [{ apiGroups: [""], resources: ["configmaps"], verbs: ["get"] }] });

  await cluster.stop();
  await assert.rejects(cluster.request("GET", "/readyz"), /ECONNREFUSED|ECONNRESET/);
  await cluster.start();

  await cluster.request("GET", `${configMaps}/kept`);
});

it("says that a test which needs controllers or pods cannot run", async () => {
  await assert.rejects(ownTestCluster(), /CANNOT RUN: .* KUBEBUILDER_ASSETS/);
});

it("says what is wrong with KUBEBUILDER_ASSETS", async () => {
  process.env["KUBEBUILDER_ASSETS"] = path.join(assets, "missing");

  await assert.rejects(ownTestCluster({ apiServerOnly: true }), /KUBEBUILDER_ASSETS names the folder/);

  process.env["KUBEBUILDER_ASSETS"] = tmpdir();
  await assert.rejects(ownTestCluster({ apiServerOnly: true }), /did not start:[\s\S]*kube-apiserver/);
});
