import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { it } from "node:test";
import { createCa, createLeaf, startWebServer } from "@rad/artifacts/testing";
import { realTerraform } from "../../testing/real-binaries.ts";
import { backendOf } from "../backend.ts";
import { terraformrcOf } from "../terraformrc.ts";
import { mainConfiguration } from "../main-configuration.ts";
import { runEnvironment } from "../run-environment.ts";
import { secretLookup } from "../secret-lookup.ts";
import type { TerraformSettings } from "../terraform-settings.ts";
import type { Result, WorkingFolder } from "./terraform-kit.ts";
import { echoContents, echoModule, owner, printed, workingFolder } from "./terraform-kit.ts";

const secretId = "/planes/radius/local/providers/Radius.Security/secrets/s";
const secrets = secretLookup([[secretId, { one: "canary-one", two: "canary-two" }]]);

async function ran(
  folder: WorkingFolder,
  args: readonly string[],
  settings: TerraformSettings,
  network: Readonly<Record<string, string>> = {},
): Promise<Result> {
  const terraformrc = path.join(folder.path, ".terraformrc");
  return await folder.run(
    args,
    runEnvironment({
      folder: folder.path,
      terraformrc,
      path: "/usr/bin",
      settings,
      secrets,
      logLevel: "ERROR",
      network,
      configuration: [],
    }),
  );
}

it("Terraform reads every pattern that settings may have", async () => {
  await using folder = await workingFolder((await realTerraform()).file);
  const patterns = [
    "*",
    "*/*/*",
    "*/*",
    "hashicorp/*",
    "hashicorp/aws",
    "HashiCorp/AWS",
    "my-corp/big-thing2",
    "registry.example/*/*",
    "registry.example:8443/corp/*",
    "registry.example/corp/thing",
  ];
  const networkMirror = { url: "https://mirror.example/a b/${c}", include: patterns, exclude: patterns };
  const local = { path: '/var/"${x}"\n%{y}\\', providers: ["registry.example/a/b"] };
  await folder.write({
    ".terraformrc": terraformrcOf({
      providerInstallation: { networkMirror, direct: { include: patterns } },
      local,
    }),
  });

  const { code, stdout, stderr } = await ran(folder, ["version"], {});

  assert.equal(code, 0);
  assert.doesNotMatch(stdout + stderr, /problems with|Error|Warning/);
});

it("Terraform tells a pattern that it cannot read", async () => {
  await using folder = await workingFolder((await realTerraform()).file);
  await folder.write({ ".terraformrc": 'provider_installation {\n  direct {\n    include = ["*"]\n  }\n}\n' });

  const { stdout, stderr } = await ran(folder, ["version"], {});

  assert.match(stdout + stderr, /problems with the provider_installation configuration/);
});

it("tokens reach the registries of their hosts and ports, and no file", async () => {
  const ca = createCa("Registries");
  const leaf = createLeaf("registry", ca);
  const seen = new Set<string | undefined>();
  const registry = async () =>
    await startWebServer((request, response) => {
      if (request.url === "/.well-known/terraform.json") {
        response.setHeader("content-type", "application/json").end('{"modules.v1":"/v1/"}');
        return;
      }
      seen.add(request.headers.authorization);
      response.writeHead(404).end();
    }, leaf);
  await using one = await registry();
  await using two = await registry();
  await using folder = await workingFolder((await realTerraform()).file);
  await writeFile(path.join(folder.path, "ca.pem"), ca.cert);
  await folder.write({
    ".terraformrc": terraformrcOf({}),
    "main.tf.json": printed({
      module: {
        one: { source: `${one.host}/corp/db/aws`, version: "1.0.0" },
        two: { source: `${two.host}/corp/db/aws`, version: "1.0.0" },
      },
    }),
  });
  const credentials = {
    [one.host]: { token: { secretId, key: "one" } },
    [two.host]: { token: { secretId, key: "two" } },
  };

  const { code } = await ran(folder, ["get"], { terraformrc: { credentials } }, { SSL_CERT_FILE: "ca.pem" });

  assert.equal(code, 1);
  assert.deepEqual(seen, new Set(["Bearer canary-one", "Bearer canary-two"]));
  assert.deepEqual(await folder.filesWith(["canary"]), []);
});

it("Terraform logs at the level of the settings", async () => {
  await using folder = await workingFolder((await realTerraform()).file);
  await folder.write({ ".terraformrc": terraformrcOf({}) });

  const levels = ["Trace", "OFF"].map(async (level) => await ran(folder, ["version"], { logging: { level } }));
  const [trace, off] = await Promise.all(levels);

  assert.match(trace?.stderr ?? "", /\[(?:TRACE|DEBUG|INFO)\]/);
  assert.equal(off?.stderr, "");
});

it("Terraform accepts the names of states in a cluster", async () => {
  await using folder = await workingFolder((await realTerraform()).file);
  await folder.write({ ...echoModule, ".terraformrc": terraformrcOf({}) });
  const access = { kind: "explicit", server: "https://127.0.0.1:1", token: "canary" } as const;
  const place = { kind: "cluster", access, namespace: "radius-system" } as const;

  for (const secretSuffix of ["", "prod-terraform-state", "7", "x-12", "a".repeat(63)]) {
    const settings = { type: "kubernetes", config: { secretSuffix } };
    const backend = backendOf({ owner, place, secrets, settings });
    const { file } = mainConfiguration({
      product: "terraform",
      module: { key: "default", source: "./module" },
      contents: echoContents,
      parameters: { value: 1 },
      context: {},
      secrets,
      providers: { session: "run-1" },
      backend,
    });
    await folder.write({ "main.tf.json": printed(file) });

    const { stdout, stderr } = await ran(folder, ["init", "-no-color"], { env: { ...backend.env } });

    // It gets as far as the cluster, which is not there.
    assert.match(stdout + stderr, /connection refused/, secretSuffix);
    assert.doesNotMatch(stdout + stderr, /secret_suffix/, secretSuffix);
  }
});
