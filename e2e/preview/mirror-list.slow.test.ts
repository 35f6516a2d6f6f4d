// `rad terraform mirror-list`: what the recipes of an environment need, with the settings and secrets of the control plane.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { it } from "node:test";
import { promisify } from "node:util";
import { testProvider } from "@rad/terraform/testing/providers";
import { machinePlatform } from "@rad/terraform";
import { bucketModule, bucketProvider } from "../recipes/bucket-module.ts";
import { createPlatform, mirrorToken, openRecipeRig, put, registryToken } from "../recipes/recipe-rig.ts";
import { request } from "../support/api.ts";
import { databases } from "../support/database.ts";
import { openRadHome } from "./plan-rig.ts";

const git = promisify(execFile);

interface Listed {
  readonly binaries: readonly { readonly platform: string; readonly url: string; readonly sha256: string }[];
  readonly providers: readonly {
    readonly address: string;
    readonly version: string;
    readonly packages: readonly { readonly platform: string; readonly hashes: readonly string[] }[];
    readonly recipes: readonly string[];
  }[];
  readonly modules: readonly {
    readonly source: string;
    readonly version?: string;
    readonly commit?: string;
    readonly recipes: readonly string[];
  }[];
  readonly errors: readonly { readonly code: string; readonly recipes: readonly string[] }[];
}

it("lists binaries, providers and modules of an environment's recipes, and what cannot be told beside the rest", async () => {
  await using rig = await openRecipeRig();
  await using database = await databases.sqlite();
  const server = await database.startServer(rig.config(database.folder));
  try {
    await rig.prepare(server);
    const { os, arch } = machinePlatform();
    const here = `${os}_${arch}`;
    const provider = await testProvider({ ...bucketProvider, cloud: rig.cloud });
    const foreign = await testProvider({ ...bucketProvider, cloud: { url: "http://elsewhere.example" } });
    rig.mirror.publish({ ...foreign, platform: "plan9_mips" });
    const nested = rig.registry.publish("acme/nested/aws", "2.3.4", { "main.tf": bucketModule });
    const outer = rig.registry.publish("acme/outer/aws", "1.0.0", {
      "main.tf": `
variable "context" { type = any }
variable "size" { type = number }
module "nested" {
  source  = "${nested.source}"
  version = "~> 2.0"
  context = var.context
}
`,
    });
    const repository = path.join(database.folder, "repository");
    const commit = await createRepository(repository, bucketModule);
    await createPlatform(rig, server, { name: "prod" });
    const terraform = (source: string) => ({ kind: "terraform", source });
    await put(server, "Radius.Core/recipePacks/prod", {
      recipes: {
        "Test.Stores/buckets": terraform(`${rig.registry.host}/acme/bucket/aws:1.0.0`),
        "Test.Stores/boxes": terraform(`${outer.source}:1.0.0`),
        "Test.Stores/crates": terraform(`git::file://${repository}?ref=main`),
        "Test.Stores/missing": terraform(`${rig.registry.host}/acme/missing/aws:1.0.0`),
      },
    });
    await using home = await openRadHome(server);

    const json = await home.rad(
      "terraform",
      "mirror-list",
      "-e",
      "prod",
      "-g",
      "test",
      "-o",
      "json",
      ...platforms(here),
    );

    assert.equal(json.code, 1, json.stdout + json.stderr); // one recipe cannot be told
    const list = JSON.parse(json.stdout) as Listed;
    const known = ["Test.Stores/boxes/default", "Test.Stores/buckets/default", "Test.Stores/crates/default"];
    assert.deepEqual(list.modules, [
      { source: `${rig.registry.host}/acme/bucket/aws`, version: "1.0.0", recipes: [known[1]] },
      { source: nested.source, version: "2.3.4", recipes: [known[0]] },
      { source: outer.source, version: "1.0.0", recipes: [known[0]] },
      { source: `git::file://${repository}?ref=main`, commit, recipes: [known[2]] },
    ]);
    const [aws, ...others] = list.providers;
    assert.deepEqual(others, []);
    assert.equal(aws?.address, "registry.terraform.io/hashicorp/aws");
    assert.equal(aws.version, provider.version);
    assert.deepEqual(aws.recipes, known);
    assert.deepEqual(
      aws.packages.map(({ platform }) => platform),
      [here, "plan9_mips"],
    );
    const [own = [], other = []] = aws.packages.map(({ hashes }) => hashes);
    assert.ok(own.some((hash) => hash.startsWith("h1:")) && other.some((hash) => hash.startsWith("h1:")));
    assert.notDeepEqual(own, other);
    assert.deepEqual(
      list.errors.map(({ code, recipes }) => ({ code, recipes })),
      [{ code: "RecipeDownloadFailed", recipes: ["Test.Stores/missing/default"] }],
    );
    const [binary, unpublished] = list.binaries;
    assert.match(binary?.url ?? "", new RegExp(`^${rig.releases.url}/.*_${here}\\.zip$`, "u"));
    assert.match(binary?.sha256 ?? "", /^[0-9a-f]{64}$/u);
    assert.ok(unpublished !== undefined && "error" in unpublished);

    const table = await home.rad("terraform", "mirror-list", "-e", "prod", "-g", "test");
    assert.match(
      table.stdout,
      /^BINARY .*\n.*\n\nPROVIDER .*\n(?:registry\.terraform\.io\/hashicorp\/aws +5\.90\.0 .*\n)+\nMODULE /u,
    );
    assert.match(table.stderr, /Error: Test\.Stores\/missing\/default: RecipeDownloadFailed: /u);

    // Nothing was applied, stored or left behind.
    assert.deepEqual(rig.cloud.objects(), []);
    assert.deepEqual(await readdir(path.join(database.folder, "runs", "runs")), []);
    const shown = JSON.stringify([json, table, server.output]);
    assert.ok(!shown.includes(mirrorToken) && !shown.includes(registryToken));
    const environment = "/planes/radius/local/resourceGroups/test/providers/Radius.Core/environments";
    const reader = { url: server.url, token: database.readerToken };
    assert.equal((await request(reader, "POST", `/recipes/mirror-list${environment}/prod`)).status, 403);
    assert.equal((await request(server, "POST", `/recipes/mirror-list${environment}/none`)).status, 404);
  } finally {
    await server[Symbol.asyncDispose]();
  }
});

function platforms(here: string): string[] {
  return ["--platform", here, "--platform", "plan9_mips"];
}

/** @returns the commit that the branch is at */
async function createRepository(folder: string, module: string): Promise<string> {
  await mkdir(folder);
  await writeFile(path.join(folder, "main.tf"), module);
  const run = async (...args: readonly string[]): Promise<string> =>
    (
      await git("git", ["-C", folder, "-c", "user.name=test", "-c", "user.email=test@example.com", ...args])
    ).stdout.trim();
  await run("init", "--quiet", "--initial-branch=main");
  await run("add", ".");
  await run("commit", "--quiet", "--message", "Add the module");
  return await run("rev-parse", "HEAD");
}
