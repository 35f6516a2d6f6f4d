// The driver with real Terraform, modules from a registry, and states in a store.
import { createServer } from "node:http";
import { mkdtemp, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { isJsonObject, noMetrics, noTracing, silentLogger, systemClock } from "@rad/core";
import { HttpStates, inspectModule, locateModule, StateBackend, StateReaders, TerraformRuns } from "@rad/terraform";
import { startModuleRegistry } from "@rad/terraform/testing";
import { type RealBinary, realOpenTofu, realTerraform } from "@rad/terraform/testing/real-binaries";
import { describeRecipeDriver, type DriverRig } from "../testing/describe-recipe-driver.ts";
import { RecipeWorld } from "../testing/recipe-world.ts";
import { createTerraformDriver } from "./terraform-driver.ts";

const working = `
variable "context" { type = any }
variable "size" {
  type    = string
  default = "S"
}
resource "terraform_data" "this" { input = var.size }
output "result" {
  sensitive = true
  value     = { values = { size = terraform_data.this.output }, secrets = { password = "p-\${var.size}" } }
}
`;

const failing = `
resource "terraform_data" "first" { input = "made" }
resource "terraform_data" "second" {
  input = terraform_data.first.output
  lifecycle {
    postcondition {
      condition     = self.id == ""
      error_message = "it is never right"
    }
  }
}
`;

for (const [name, real] of [
  ["Terraform", realTerraform],
  ["OpenTofu", realOpenTofu],
] as const) {
  describeRecipeDriver(name, async () => await openRig(await real()));
}

async function openRig({ product, version, file }: RealBinary): Promise<DriverRig> {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "rad-terraform-driver-"));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const world = stack.use(await RecipeWorld.open());
  const registry = stack.use(await startModuleRegistry());
  const deps = { store: world.store, clock: systemClock, log: silentLogger, readers: new StateReaders() };
  const address = await serveStates(stack, new StateBackend(deps));
  const states = new HttpStates(world.store);
  const runs = new TerraformRuns({
    ...deps,
    metrics: noMetrics,
    tracing: noTracing,
    root: join(folder, "runs"),
    cacheRoot: join(folder, "cache"),
    maxConcurrent: 2,
    graceMs: 10_000,
    timeoutMs: 600_000,
    leaseMs: 60_000,
    lockTimeoutSeconds: 0,
  });
  const driver = createTerraformDriver({
    leases: {
      acquire: async () => ({
        product,
        version,
        path: file,
        sha256: "",
        signal: new AbortController().signal,
        [Symbol.asyncDispose]: async () => {},
      }),
    },
    runs,
    inspect: async (work, key) => {
      const { folder: module, within } = await locateModule(work, key);
      return await inspectModule(module, { within });
    },
    prepareInspection: () => {},
    states: {
      place: async (access) => ({ kind: "controlPlane", address, ...access }),
      exists: (_backend, stateName) => states.has(stateName),
      remove: (backend) => states.remove(backend.stateName),
    },
    cluster: async () => undefined,
    requireSettings: true,
    logLevel: "ERROR",
    network: { SSL_CERT_FILE: registry.caFile },
  });
  const definition = (module: string) => ({
    name: "default",
    kind: "terraform",
    source: `${registry.host}/acme/${module}/none`,
    version: "1.0.0",
    parameters: {},
  });
  registry.publish("acme/working/none", "1.0.0", { "main.tf": working });
  registry.publish("acme/failing/none", "1.0.0", { "main.tf": failing });
  const owned = stack.move();
  return {
    driver,
    world,
    configuration: {
      family: "Applications.Core",
      runtime: { kind: "aci" },
      isSimulated: false,
      terraform: { kind: "recipeConfig", properties: {} },
    },
    working: definition("working"),
    failing: definition("failing"),
    missing: definition("missing"),
    things: async () => {
      let count = 0;
      for await (const { name } of states.list()) {
        const state = await states.read(name);
        const resources = isJsonObject(state) ? state["resources"] : undefined;
        count += Array.isArray(resources) ? resources.length : 0;
      }
      return count;
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** @returns the URL below which states are */
async function serveStates(stack: AsyncDisposableStack, backend: StateBackend): Promise<string> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://localhost");
    const { authorization, "content-md5": md5 } = request.headers;
    backend
      .handle({
        method: request.method ?? "GET",
        name: url.pathname.slice(1),
        authorization,
        lockId: url.searchParams.get("ID") ?? undefined,
        contentMd5: typeof md5 === "string" ? md5 : undefined,
        body: () => buffer(request),
      })
      .then(
        ({ status, headers, body }) => response.writeHead(status, headers).end(body),
        (error: { readonly status?: number }) => response.writeHead(error.status ?? 500).end(),
      );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  stack.defer(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
