import assert from "node:assert/strict";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { createSandbox } from "../testing/sandbox.ts";
import { standIn } from "../testing/stand-in-terraform.ts";

const main = fileURLToPath(new URL("../main.ts", import.meta.url));

test("the demo shows a type, Terraform and an application with its graph, before and after it is deployed, and leaves nothing behind", async () => {
  await using sandbox = await createSandbox();
  const bin = await mkdtemp(join(tmpdir(), "rad-demo-test-"));
  await writeFile(join(bin, "terraform"), standIn("Terraform", "1.9.8"), { mode: 0o755 });

  const { code, stdout, stderr } = await sandbox.rad(["demo"], { env: { PATH: bin } });

  assert.equal(code, 0, stderr);
  assert.match(stdout, /^\$ rad resource-type create .*\nRadius\.Demo\/queues created$/m);
  assert.match(stdout, /^System\.Resources\/resourceGroups\/demo created$/m);
  assert.match(
    stdout,
    /^\$ rad terraform install .* --wait\nTerraform 1\.9\.8 install started\.\.\.\nTerraform 1\.9\.8 ready \(installed \S+Z\)\n\$ rad terraform status\nTerraform 1\.9\.8 ready/m,
  );
  assert.match(stdout, /^Resource changes: 5 to create\.$/m);
  assert.match(stdout, /^Deployment Complete$/m);
  assert.match(stdout, /^ {4}orders +Radius\.Demo\/queues +created$/m);
  assert.match(stdout, /^ {4}edge +Applications\.Core\/gateways +created$/m);
  assert.match(stdout, /"accessKey": null/);
  assert.match(
    stdout,
    /^Name: web .*\nConnections:\n {2}web -> orders .*\n {2}edge .* -> web\nResources:\n {2}web \(apps\/Deployment\)$/m,
  );
  assert.match(stdout, /^ {2}radius-demo-shop\/deployment-web\.yaml\n {2}radius-demo-shop\/httpproxy-edge\.yaml$/m);
  assert.match(stdout, /^ +- name: scratch\n +emptyDir: \{\}$/m);
  assert.match(stdout, /^Resource changes: 1 to create, 5 without change\.$/m);
  assert.match(stdout, /^The recipe did not run; see above\. The demo goes on without it\.$/m); // it is no Terraform
  assert.match(stdout, /^System\.Resources\/resourceGroups\/demo deleted$/m);
  const folder = /control plane in (\S+),/.exec(stdout)?.[1] ?? "";
  await assert.rejects(readdir(folder), { code: "ENOENT" });
  assert.deepEqual(await readdir(sandbox.home), []);
  await rm(bin, { recursive: true });
});

test("the demo names the contexts there are when it is given another one, and touches nothing", async () => {
  await using sandbox = await createSandbox();
  const kubeConfig = join(sandbox.home, "config");
  await writeFile(kubeConfig, "apiVersion: v1\nkind: Config\ncontexts:\n  - name: kind-dev\n    context: {}\n");

  const { code, stdout, stderr } = await sandbox.rad(["demo", "--kube-context", "prod"], {
    env: { KUBECONFIG: kubeConfig },
  });
  const none = await sandbox.rad(["demo", "--kube-context", "prod"]);

  assert.deepEqual([code, stdout], [1, ""]);
  assert.match(stderr, /has no context "prod"\. There are: kind-dev\.\nCode: {2}KubeContextNotFound/);
  assert.match(none.stderr, /There is none at all\./);
});

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  test(`${signal} in the middle of the demo leaves nothing behind either`, async () => {
    const temporary = await mkdtemp(join(tmpdir(), "rad-demo-test-"));
    const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", main, "demo"], {
      env: { PATH: process.env["PATH"], HOME: temporary, TMPDIR: temporary },
      stdio: ["ignore", "pipe", "ignore"],
    });
    child.stdout.on("data", (chunk) => {
      if (String(chunk).includes("$ rad ")) {
        child.kill(signal);
        child.stdout.removeAllListeners("data").resume();
      }
    });

    const [code] = (await once(child, "exit")) as [number];

    assert.equal(code, 130);
    assert.deepEqual(await readdir(temporary), []);
    await rm(temporary, { recursive: true });
  });
}
