import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, it } from "node:test";
import { ResourceId } from "@rad/core";
import type { ResourceReader } from "@rad/resources";
import { viewEnvironment } from "./environment-view.ts";

const id = ResourceId.parse("/planes/radius/local/resourceGroups/g/providers/Applications.Core/environments/dev");
const resources: ResourceReader = {
  get: async () => undefined,
  list: async () => ({ items: [] }),
  secrets: async () => ({}),
};
let folder: string;
before(async () => (folder = await mkdtemp(join(tmpdir(), "rad-view-"))));
after(() => rm(folder, { recursive: true }));

const view = (file: string) => {
  const environment = { id, properties: { recipeConfig: { env: { SSL_CERT_FILE: file } } } };
  return viewEnvironment(environment, { resources, requireSettings: false, network: {} });
};

it("authorities are read from a file", async () => {
  await writeFile(join(folder, "ca.pem"), "a certificate");
  assert.equal((await view(join(folder, "ca.pem"))).authorities, "a certificate");
  await assert.rejects(view(join(folder, "none.pem")), /SSL_CERT_FILE names .*none.pem', .* \(ENOENT\)/);
});

it("a pipe and a device are not waited for", async () => {
  const pipe = join(folder, "pipe");
  execFileSync("/usr/bin/env", ["mkfifo", pipe]);
  for (const file of [pipe, "/dev/zero", folder]) {
    await assert.rejects(view(file), /is not a file of at most 4 MiB/);
  }
});
