import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import type { JsonObject } from "@rad/core";
import { resourceIdsOf } from "@rad/terraform";
import { startGitServer } from "@rad/terraform/testing";
import { realTerraform } from "@rad/terraform/testing/real-binaries";
import { startS3Storage } from "@rad/terraform/testing/storage";
import type { S3Storage } from "@rad/terraform/testing/storage";
import {
  createPlatform,
  deployBucket,
  mirrorToken,
  openRecipeRig,
  putSecret,
  registryToken,
} from "../e2e/recipes/recipe-rig.ts";
import { bucketModule } from "../e2e/recipes/bucket-module.ts";
import type { PlatformOptions, RecipeRig } from "../e2e/recipes/recipe-rig.ts";
import { startServerProcess } from "../e2e/support/server-process.ts";
import type { ServerProcess } from "../e2e/support/server-process.ts";
import { median } from "./report.ts";
import type { Measurement } from "./report.ts";

const run = promisify(execFile);
const rounds = 5;
const atOnce = 20;
const concurrency = 4;

/** Recipes against the same `terraform init`, `apply` and `show` by hand, with the same backend, mirrors and modules. */
export async function measureRecipes(): Promise<readonly Measurement[]> {
  const folder = await mkdtemp(path.join(tmpdir(), "rad-bench-recipes-"));
  await using rig = await openRecipeRig();
  await using storage = await startS3Storage({ ca: rig.ca });
  const hand = await ByHand.create(rig, storage, folder);
  try {
    return [
      await measureCold(rig, storage, hand),
      ...(await measureWarm(rig, storage, hand)),
      await measureAtOnce(rig, storage, hand),
      await measurePrivate(rig, storage, hand),
      measureIds(),
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Servers and folders that have downloaded nothing yet. */
async function measureCold(rig: RecipeRig, storage: S3Storage, hand: ByHand): Promise<Measurement> {
  const [ours, bare]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    const name = `cold-${round}`;
    bare.push(await secondsOf(() => hand.deploy(`${name}-hand`, "none")));
    await using server = await startRecipeServer(rig, hand);
    const environment = await platformOf(rig, server, storage, name);
    ours.push(await secondsOf(() => deployBucket(server, name, { environment })));
  }
  return compared("recipe, first run with empty caches, against Terraform by hand", ours, bare);
}

/** The same resource again with a changed tag: nothing is downloaded by either. */
async function measureWarm(rig: RecipeRig, storage: S3Storage, hand: ByHand): Promise<Measurement[]> {
  await using server = await startRecipeServer(rig, hand);
  const environment = await platformOf(rig, server, storage, "warm");
  await hand.deploy("warm-hand", "none");
  await deployBucket(server, "warm", { environment });
  const [ours, bare]: [number[], number[]] = [[], []];
  let downloaded = 0;
  for (let round = 0; round < rounds; round += 1) {
    bare.push(await secondsOf(() => hand.deploy("warm-hand", `team-${round}`)));
    const before = archiveBytes(rig);
    ours.push(await secondsOf(() => deployBucket(server, "warm", { environment, team: `team-${round}` })));
    downloaded += archiveBytes(rig) - before;
  }
  const memory = await supervisorMegabytes(rig, server, environment);
  return [
    compared("recipe, second run, against Terraform by hand", ours, bare),
    {
      name: "modules and providers that second runs download",
      value: downloaded,
      unit: "bytes",
      figure: downloaded,
      target: { atMost: 0 },
    },
    { name: "peak memory of a run's supervisor", value: memory, unit: "MiB", figure: memory },
  ];
}

async function measureAtOnce(rig: RecipeRig, storage: S3Storage, hand: ByHand): Promise<Measurement> {
  await using server = await startRecipeServer(rig, hand);
  const environment = await platformOf(rig, server, storage, "many");
  const names = Array.from({ length: atOnce }, (_, index) => `many-${index}`);
  await deployBucket(server, "many-first", { environment });
  const bare = await secondsOf(() => pooled(names, concurrency, (name) => hand.deploy(`${name}-hand`, "none")));
  const ours = await secondsOf(() => Promise.all(names.map((name) => deployBucket(server, name, { environment }))));
  return compared(`${atOnce} recipes at once, ${concurrency} at a time, against as many by hand`, [ours], [bare]);
}

/** First runs of a module from a repository that asks for a token, against the same from one that does not. */
async function measurePrivate(rig: RecipeRig, storage: S3Storage, hand: ByHand): Promise<Measurement> {
  await using git = await startGitServer({ ca: rig.ca, hosts: ["git.example"] });
  await using server = await startRecipeServer(rig, hand);
  git.allow({ token: "token-of-the-bench" });
  const secret = await putSecret(server, "git", { pat: "token-of-the-bench" });
  const authentication = { git: { pat: { "git.example": { secret } } } };
  const [closed, open]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    for (const [seconds, kind] of [
      [open, "public"],
      [closed, "private"],
    ] as const) {
      const name = `${kind}-${round}`;
      await git.repository(`/${name}.git`, { "main.tf": bucketModule }, { isPublic: kind === "public" });
      const environment = await platformOf(rig, server, storage, name, {
        source: `git::https://git.example/${name}.git`,
        env: git.env,
        ...(kind === "private" ? { authentication } : {}),
      });
      seconds.push(await secondsOf(() => deployBucket(server, name, { environment })));
    }
  }
  const measured = compared("recipe from a private repository, against the same from a public one", closed, open);
  return { ...measured, target: { atMost: 1.1 } };
}

/** CPU time, which other load does not change. */
function measureIds(): Measurement {
  const resources = Array.from({ length: 10_000 }, (_, index) => ({
    address: `aws_s3_bucket.bucket_${index}`,
    mode: "managed",
    type: "aws_s3_bucket",
    name: `bucket_${index}`,
    provider_name: "registry.terraform.io/hashicorp/aws",
    values: { id: `bucket-${index}`, arn: `arn:aws:s3:::bucket-${index}` },
  }));
  const state = { format_version: "1.0", terraform_version: "1.11.4", values: { root_module: { resources } } };
  const before = process.cpuUsage();
  const ids = resourceIdsOf(state, { awsScope: "/planes/aws/aws/accounts/123456789012/regions/eu-central-1" });
  const { user, system } = process.cpuUsage(before);
  if (ids.length !== resources.length) {
    throw new Error(`${ids.length} of ${resources.length} resources have an id`);
  }
  const value = (user + system) / 1_000_000;
  return { name: "ids of 10,000 resources of a state, CPU", value, unit: "s", figure: value, target: { atMost: 1 } };
}

function compared(name: string, ours: readonly number[], bare: readonly number[]): Measurement {
  const [value, baseline] = [median(ours), median(bare)];
  return { name, value, unit: "s", baseline, figure: value / baseline, target: { atMost: 1.3 } };
}

/** Of archives; what the protocols answer besides is small and tells whether something is new. */
function archiveBytes(rig: RecipeRig): number {
  return [...rig.mirror.requests, ...rig.registry.requests]
    .filter((request) => request.path.startsWith("/open/"))
    .reduce((sum, request) => sum + request.bytes, 0);
}

async function startRecipeServer(rig: RecipeRig, hand: ByHand): Promise<ServerProcess> {
  const folder = await mkdtemp(path.join(hand.folder, "server-"));
  const { terraform } = rig.config(folder);
  const runs = { ...terraform?.runs, maxConcurrent: concurrency };
  const server = await startServerProcess({ config: { terraform: { ...terraform, runs } } });
  await rig.prepare(server);
  return server;
}

async function platformOf(
  rig: RecipeRig,
  server: ServerProcess,
  storage: S3Storage,
  name: string,
  more: Partial<PlatformOptions> = {},
): Promise<string> {
  const secretId = await putSecret(server, "storage", { id: storage.accessKeyId, secret: storage.secretAccessKey });
  const config = {
    ...backendArguments(storage, `${name}-recipes`),
    accessKey: { secretId, key: "id" },
    secretKey: { secretId, key: "secret" },
  };
  return await createPlatform(rig, server, { name, backend: { type: "s3", config }, ...more });
}

/** In Terraform's own spelling, which settings take as well. */
function backendArguments({ bucket, url }: S3Storage, key: string): JsonObject {
  return {
    bucket,
    key,
    region: "eu-central-1",
    endpoints: { s3: url },
    use_lockfile: true,
    use_path_style: true,
    skip_credentials_validation: true,
    skip_metadata_api_check: true,
    skip_region_validation: true,
    skip_requesting_account_id: true,
  };
}

/** Of the process above Terraform, while a provider waits for the cloud. */
async function supervisorMegabytes(rig: RecipeRig, server: ServerProcess, environment: string): Promise<number> {
  const stall = rig.cloud.fault(/^update/u, { kind: "stall", when: "before" }, { times: 1 });
  const deployed = deployBucket(server, "warm", { environment, team: "measured" });
  const { terraformPid } = await stall.first;
  const parent = /^PPid:\s+(\d+)/mu.exec(await readFile(`/proc/${terraformPid}/status`, "utf8"))?.[1] ?? "";
  const peak = /^VmHWM:\s+(\d+) kB/mu.exec(await readFile(`/proc/${parent}/status`, "utf8"))?.[1];
  stall[Symbol.dispose]();
  await deployed;
  return Number(peak) / 1024;
}

async function pooled<T>(items: readonly T[], size: number, work: (item: T) => Promise<unknown>): Promise<void> {
  const waiting = [...items];
  const worker = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) {
      await work(item);
    }
  };
  await Promise.all(Array.from({ length: size }, worker));
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}

/** Somebody who runs the same module from a folder of their own. */
class ByHand {
  readonly #rig: RecipeRig;
  readonly #storage: S3Storage;
  /** Where folders of its deployments are, and those of the servers that it is compared with. */
  readonly folder: string;
  readonly #binary: string;
  readonly #cliFile: string;

  private constructor(rig: RecipeRig, storage: S3Storage, folder: string, binary: string) {
    this.#rig = rig;
    this.#storage = storage;
    this.folder = folder;
    this.#binary = binary;
    this.#cliFile = path.join(folder, "terraform.rc");
  }

  static async create(rig: RecipeRig, storage: S3Storage, folder: string): Promise<ByHand> {
    const { file } = await realTerraform();
    const hand = new ByHand(rig, storage, folder, file);
    const cli = [
      `credentials "${rig.mirror.host}" {\n  token = "${mirrorToken}"\n}`,
      `credentials "${rig.registry.host}" {\n  token = "${registryToken}"\n}`,
      `provider_installation {\n  network_mirror {\n    url = "${rig.mirror.url}"\n  }\n}`,
    ];
    await writeFile(hand.#cliFile, `${cli.join("\n")}\n`);
    return hand;
  }

  /** `init`, `apply` and `show`; a folder that was used before has its modules and providers. */
  async deploy(name: string, team: string): Promise<void> {
    const cwd = path.join(this.folder, name);
    await mkdir(cwd, { recursive: true });
    const context = { resource: { name, properties: { team } } };
    const configuration = {
      terraform: { backend: { s3: backendArguments(this.#storage, name) } },
      provider: { aws: { region: "eu-central-1" } },
      module: { default: { source: `${this.#rig.registry.host}/acme/bucket/aws`, version: "1.0.0", context } },
      output: { result: { value: "${module.default.result}", sensitive: true } },
    };
    await writeFile(path.join(cwd, "main.tf.json"), JSON.stringify(configuration));
    const env = {
      HOME: this.folder,
      TF_CLI_CONFIG_FILE: this.#cliFile,
      CHECKPOINT_DISABLE: "1",
      TF_IN_AUTOMATION: "1",
      SSL_CERT_FILE: this.#rig.caFile,
      AWS_ACCESS_KEY_ID: this.#storage.accessKeyId,
      AWS_SECRET_ACCESS_KEY: this.#storage.secretAccessKey,
    };
    for (const args of [
      ["init", "-input=false"],
      ["apply", "-auto-approve", "-input=false", "-json"],
      ["show", "-json"],
    ]) {
      await run(this.#binary, args, { cwd, env, maxBuffer: 64 << 20 });
    }
  }
}
