/** The generic commands serve settings like any other resource. */
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Sandbox, TestControlPlane } from "../testing/sandbox.ts";
import { createConnectedSandbox, startControlPlane } from "../testing/sandbox.ts";

let server: TestControlPlane;
let sandbox: Sandbox;
before(async () => {
  server = await startControlPlane();
  sandbox = await createConnectedSandbox(server);
});
after(async () => {
  await sandbox[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

const bodies = {
  terraformSettings: { env: { TF_REGISTRY_CLIENT_TIMEOUT: "15" }, logging: { level: "TRACE" } },
  bicepSettings: {
    authentication: {
      registries: {
        "ghcr.io": {
          basic: {
            username: "team",
            password: { secretId: "/planes/radius/local/providers/Radius.Security/secrets/registry", key: "token" },
          },
        },
      },
    },
  },
};

for (const [name, properties] of Object.entries(bodies)) {
  test(`Radius.Core/${name} are created, listed, shown and deleted, also with -o json`, async () => {
    const type = `Radius.Core/${name}`;
    await writeFile(join(sandbox.home, "settings.json"), JSON.stringify({ properties }));
    const rad = async (...args: readonly string[]) => {
      const { code, stdout, stderr } = await sandbox.rad(["resource", ...args]);
      assert.equal(code, 0, stderr);
      return stdout;
    };

    const created = await rad("create", type, "corp", "-f", "settings.json");
    const again = JSON.parse(await rad("create", type, "corp", "-f", "settings.json", "-o", "json"));
    const listed = await rad("list", type);
    const short = JSON.parse(await rad("list", name, "-o", "json"));
    const shown = await rad("show", type, "corp");
    const json = JSON.parse(await rad("show", name, "corp", "-o", "json"));
    const deleted = await rad("delete", type, "corp", "--yes");

    assert.equal(created, `${type}/corp created\n`);
    assert.equal(again.name, "corp");
    assert.match(listed, new RegExp(`^corp +${type} +dev +Succeeded$`, "m"));
    assert.equal(shown, listed);
    assert.equal(short.length, 1);
    const { provisioningState: _, referencedBy: __, ...stored } = json.properties;
    assert.deepEqual(stored, properties);
    assert.equal(deleted, `${type}/corp deleted\n`);
  });
}
