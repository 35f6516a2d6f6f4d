import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type JsonObject, type Logger, noMetrics, noTracing, silentLogger, systemClock, type Tracing } from "@rad/core";
import type { Store } from "@rad/store";
import type { ExecutionLease } from "../leases/execution-lease.ts";
import type { RunEvent, RunLine } from "../runs/run-event.ts";
import type { RunOrder, TerraformRun } from "../runs/terraform-run.ts";
import { StateReaders } from "../runs/state-readers.ts";
import { TerraformRuns } from "../runs/terraform-runs.ts";
import { type CountingCloud, startCountingCloud } from "../testing/counting-cloud.ts";
import { type ModuleRegistry, startModuleRegistry } from "../testing/module-registry.ts";
import { type ProviderMirror, startProviderMirror } from "../testing/provider-mirror.ts";
import { testProvider } from "../testing/providers.ts";
import type { RealBinary } from "../testing/real-binaries.ts";
import { createCa } from "@rad/artifacts/testing";

/** Where providers and modules come from, and what they make. */
export interface Downloads extends AsyncDisposable {
  readonly mirror: ProviderMirror;
  readonly registry: ModuleRegistry;
  readonly cloud: CountingCloud;
  readonly terraformrc: string;
  readonly env: Readonly<Record<string, string>>;
  /** `host/acme/buckets/aws` */
  readonly source: string;
}

const moduleVersion = "1.0.0";

/** Makes as many buckets as it is told, one after the other, so that there are many moments to stop at. */
const bucketsModule = `
variable "names" { type = list(string) }
variable "password" {
  type      = string
  default   = ""
  sensitive = true
}
resource "aws_s3_bucket" "this" {
  for_each = toset(var.names)
  bucket   = each.key
  password = var.password
}
output "result" { value = { values = { count = length(var.names) } } }
`;

export async function startDownloads(): Promise<Downloads> {
  const ca = createCa("authority of the registries");
  const mirror = await startProviderMirror({ ca });
  const registry = await startModuleRegistry({ ca });
  const cloud = await startCountingCloud();
  mirror.publish(
    await testProvider({
      address: "hashicorp/aws",
      version: "5.90.0",
      cloud,
      provider: { attributes: { region: {} } },
      resources: {
        aws_s3_bucket: {
          attributes: {
            bucket: { required: true, replace: true },
            id: { computed: "{bucket}" },
            password: { sensitive: true },
          },
        },
      },
    }),
  );
  const { source } = registry.publish("acme/buckets/aws", moduleVersion, { "main.tf": bucketsModule });
  return {
    mirror,
    registry,
    cloud,
    terraformrc: `provider_installation {\n  network_mirror {\n    url = "${mirror.url}"\n  }\n}\n`,
    env: { SSL_CERT_FILE: mirror.caFile },
    source,
    [Symbol.asyncDispose]: async () => {
      await cloud[Symbol.asyncDispose]();
      await registry[Symbol.asyncDispose]();
      await mirror[Symbol.asyncDispose]();
    },
  };
}

/** A lease on a binary that nobody takes away. */
export function leaseOf({ product, version, file }: RealBinary): ExecutionLease {
  return {
    product,
    version,
    path: file,
    sha256: "",
    signal: new AbortController().signal,
    [Symbol.asyncDispose]: async () => {},
  };
}

export interface RunsOptions {
  readonly store: Store;
  readonly folder: string;
  readonly graceMs?: number;
  readonly leaseMs?: number;
  readonly tracing?: Tracing;
}

export function openRuns({
  store,
  folder,
  graceMs = 10_000,
  leaseMs = 60_000,
  tracing = noTracing,
}: RunsOptions): TerraformRuns {
  return new TerraformRuns({
    store,
    clock: systemClock,
    log: silentLogger,
    tracing,
    metrics: noMetrics,
    root: join(folder, "runs"),
    cacheRoot: join(folder, "cache"),
    maxConcurrent: 20,
    graceMs,
    timeoutMs: 600_000,
    leaseMs,
    lockTimeoutSeconds: 2,
    readers: new StateReaders(),
  });
}

/** A folder below the system's own, with a short name, as providers put sockets below it. */
export async function temporaryFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), "tf-"));
  return { path, [Symbol.asyncDispose]: async () => await rm(path, { recursive: true, force: true }) };
}

export interface BucketsOrder {
  readonly name: string;
  readonly buckets: readonly string[];
  readonly binary: ExecutionLease;
  readonly downloads: Pick<Downloads, "terraformrc" | "env" | "source">;
  /** Of the states. */
  readonly url: string;
  readonly signal?: AbortSignal;
  readonly env?: Readonly<Record<string, string>>;
  readonly secrets?: readonly string[];
  readonly password?: string;
  readonly purpose?: RunOrder["purpose"];
  readonly onEvent?: (event: RunEvent) => void;
  readonly onLine?: (line: RunLine) => void;
  readonly log?: Logger;
}

/** Opens a run for a resource made of buckets, up to `init`. */
export async function openBuckets(runs: TerraformRuns, options: BucketsOrder): Promise<TerraformRun> {
  const { name, downloads, url, signal = new AbortController().signal } = options;
  const { source, terraformrc, env } = downloads;
  const run = await runs.open({
    runId: randomUUID(),
    resourceId: `/planes/radius/local/resourceGroups/g/providers/Example.Stores/buckets/${name}`,
    state: { backend: "http", name },
    purpose: options.purpose ?? "deploy",
    binary: options.binary,
    files: {
      ".terraformrc": terraformrc,
      "main.tf.json": JSON.stringify({ module: { default: { source, version: moduleVersion } } }),
    },
    env: { ...env, ...options.env },
    secrets: options.secrets ?? [],
    signal,
    onEvent: options.onEvent ?? (() => {}),
    onLine: options.onLine,
    log: options.log ?? silentLogger,
  });
  try {
    await run.get({ source, version: moduleVersion });
    const { username, password } = run.stateAccess;
    await run.extend({
      env: {
        TF_HTTP_USERNAME: username,
        TF_HTTP_PASSWORD: password,
        ...(options.password === undefined ? {} : { TF_VAR_password: options.password }),
      },
      secrets: [password, ...(options.password === undefined ? [] : [options.password])],
    });
    await run.write({ "main.tf.json": JSON.stringify(mainOf(options, `${url}/${name}`)) });
    await run.init();
    return run;
  } catch (error) {
    await run[Symbol.asyncDispose]();
    throw error;
  }
}

function mainOf({ buckets, downloads: { source }, password }: BucketsOrder, address: string): JsonObject {
  return {
    terraform: {
      required_providers: { aws: { source: "hashicorp/aws", version: "~> 5.0" } },
      backend: {
        http: {
          address,
          lock_address: address,
          unlock_address: address,
          lock_method: "LOCK",
          unlock_method: "UNLOCK",
          retry_max: 3,
          retry_wait_min: 1,
          retry_wait_max: 1,
        },
      },
    },
    ...(password === undefined ? {} : { variable: { password: { sensitive: true } } }),
    provider: { aws: { region: "here" } },
    module: {
      default: {
        source,
        version: moduleVersion,
        names: [...buckets],
        ...(password === undefined ? {} : { password: "${var.password}" }),
      },
    },
    output: { result: { value: "${module.default.result}" } },
  };
}

export function addressOf(bucket: string): string {
  return `module.default.aws_s3_bucket.this["${bucket}"]`;
}
