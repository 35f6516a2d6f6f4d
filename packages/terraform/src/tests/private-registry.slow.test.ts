import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, it } from "node:test";
import { createCa } from "@rad/artifacts/testing";
import { silentLogger } from "@rad/core";
import type { Store } from "@rad/store";
import { openTemporaryStore } from "@rad/store/testing";
import { RunError } from "../runs/run-error.ts";
import type { TerraformRuns } from "../runs/terraform-runs.ts";
import { gitVariables } from "../configuration/git-credentials.ts";
import { type GitServer, startGitServer } from "../testing/git-server.ts";
import { type ModuleRegistry, startModuleRegistry } from "../testing/module-registry.ts";
import { realTerraform } from "../testing/real-binaries.ts";
import { leaseOf, openRuns, temporaryFolder } from "./run-kit.ts";

const version = "1.0.0";
const output = 'output "who" { value = "me" }\n';

let store: Store;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let runs: TerraformRuns;
let open: ModuleRegistry;
let guarded: ModuleRegistry;
let git: GitServer;

before(async () => {
  const ca = createCa("authority of the registries");
  [open, guarded] = await Promise.all([startModuleRegistry({ ca }), startModuleRegistry({ ca })]);
  git = await startGitServer({ ca, hosts: ["git.example"] });
  store = await openTemporaryStore();
  folder = await temporaryFolder();
  runs = openRuns({ store, folder: folder.path });
});
after(async () => {
  await open[Symbol.asyncDispose]();
  await guarded[Symbol.asyncDispose]();
  await git[Symbol.asyncDispose]();
  await store[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

/** Gets the module in a run of its own. */
async function get(source: string, env: Readonly<Record<string, string>>): Promise<void> {
  await using run = await runs.open({
    runId: randomUUID(),
    resourceId: "/planes/radius/local/resourceGroups/g/providers/Example.Stores/buckets/private",
    purpose: "metadata",
    binary: leaseOf(await realTerraform()),
    files: { "main.tf.json": JSON.stringify({ module: { default: { source, version } } }) },
    env: { SSL_CERT_FILE: open.caFile, ...env },
    secrets: [],
    signal: new AbortController().signal,
    onEvent: () => {},
    log: silentLogger,
  });
  await run.get({ source, version });
}

for (const what of ["a module", "a module that another one uses"] as const) {
  it(`${what} of a registry with a token is cached, and no longer given to a token that was revoked`, async () => {
    const token = `token-${randomUUID()}`;
    guarded.setToken(token);
    const name = what === "a module" ? "top" : "inner";
    const inner = guarded.publish(`acme/${name}/aws`, version, { "main.tf": output });
    const caller = `module "inner" {\n  source  = "${inner.source}"\n  version = "${version}"\n}\n`;
    const { source } = name === "top" ? inner : open.publish("acme/outer/aws", version, { "main.tf": caller });
    const env = { [`TF_TOKEN_${guarded.host.replaceAll(".", "_")}`]: token };

    await get(source, env);
    await get(source, env);
    assert.equal(inner.downloads(), 1);

    guarded.setToken("another");
    await assert.rejects(get(source, env), RunError);
    assert.equal(inner.downloads(), 1);

    guarded.setToken(token);
    await get(source, env);
    assert.equal(inner.downloads(), 2);
  });
}

it("a module that a registry keeps in a private repository is cached, and not given to a token that was revoked", async () => {
  await git.repository("/acme/kept.git", { "main.tf": output });
  const allowed = git.allow({ token: "kept-token" });
  const source = open.publishAt("acme/kept/aws", version, "git::https://git.example/acme/kept.git?ref=main");
  const credential = { origin: "https://git.example", password: "kept-token" };
  const env = { ...git.env, ...gitVariables([credential], git.env) };
  const asked = (): number => open.requests.filter(({ path }) => path === "/v1/modules/acme/kept/aws/versions").length;

  await get(source, env);
  await get(source, env);
  assert.equal(asked(), 1, "Terraform asks the registry, and the cache does not");

  allowed[Symbol.dispose]();
  await assert.rejects(get(source, env), RunError);
});
