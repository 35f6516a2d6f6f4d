// Tokens that are in Secrets of a cluster, and states that are there too.
import assert from "node:assert/strict";
import { it } from "node:test";
import { testCluster } from "@rad/kubernetes/testing";
import {
  credentialsSent,
  deploy,
  moduleOf,
  openPrivateRig,
  put,
  putEnvironment,
  putStore,
  remove,
} from "./private-rig.ts";

it("a token in a Secret of the cluster is read where it is, and a rotated one is seen by the next run", async () => {
  const cluster = await testCluster();
  const [namespace, own] = [await cluster.namespace("git"), await cluster.namespace("recipes")];
  await using rig = await openPrivateRig({
    hosts: ["git.example", "other.example"],
    config: { kubernetes: { kubeConfig: cluster.kubeConfig } },
  });
  const { git, server } = rig;
  await git.repository("/acme/m.git", moduleOf("from a cluster"));
  const secrets = `/api/v1/namespaces/${namespace}/secrets`;
  const secret = (pat: string) => ({
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "git", namespace },
    stringData: { "tls.pat": pat, "tls.username": "ann" },
  });
  await cluster.request("POST", secrets, secret("old-token"));
  const existing = await put(server, "Applications.Core/secretStores/existing", {
    type: "generic",
    resource: `${namespace}/git`,
    data: { "tls.pat": {}, "tls.username": {} },
  });
  const made = await putStore(server, `made-${own}`, { pat: "made-token", username: "bob" });
  const environment = await putEnvironment(rig, own, {
    pat: { "git.example": existing, "other.example": made },
    templatePath: { default: "git::https://git.example/acme/m.git", made: "https://other.example/acme/m.git" },
  });

  const old = git.allow({ user: "ann", token: "old-token", host: "git.example" });
  git.allow({ user: "bob", token: "made-token", host: "other.example" });
  assert.equal(await deploy(server, "existing", environment), '"from a cluster"');
  old[Symbol.dispose]();
  git.allow({ user: "ann", token: "new-token", host: "git.example" });
  await cluster.request("PUT", `${secrets}/git`, secret("new-token"));
  assert.equal(await deploy(server, "existing", environment), '"from a cluster"');
  assert.equal(await deploy(server, "made", environment, "made"), '"from a cluster"');
  await Promise.all(["existing", "made"].map((name) => remove(server, name)));

  assert.deepEqual(credentialsSent(git.requests), [
    "https://git.example ann:new-token",
    "https://git.example ann:old-token",
    "https://other.example bob:made-token",
  ]);
});
