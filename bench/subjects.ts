import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createClient, registerManifest } from "@rad/client";
import { configuredTokens, createIdentity } from "@rad/control-plane/testing";
import type { JsonObject } from "@rad/core";
import { launch } from "../e2e/support/launch.ts";
import { startServerProcess } from "../e2e/support/server-process.ts";
import type { ServerProcess } from "../e2e/support/server-process.ts";

export const apiVersion = "2025-01-01";
const group = "/planes/radius/local/resourceGroups/bench";
/** The server of the tests has settings as a type of its own, which is synchronous; what a client registers is not. */
export const syncCollection = `${group}/providers/Radius.Core/settings`;
export const asyncCollection = `${group}/providers/Bench.Load/items`;

/** About a kilobyte of the kind of thing that resources hold. */
export const resource = {
  location: "global",
  tags: { team: "bench" },
  properties: {
    environment: "/planes/radius/local/resourceGroups/bench/providers/Radius.Core/environments/bench",
    image: "registry.example.com/team/service:1.2.3",
    replicas: 3,
    variables: Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`SETTING_${i}`, `value number ${i}`])),
  },
};

const schema: JsonObject = {
  type: "object",
  properties: {
    environment: { type: "string" },
    image: { type: "string", maxLength: 200 },
    replicas: { type: "integer", minimum: 1 },
    variables: { type: "object", additionalProperties: { type: "string" } },
  },
  required: ["environment", "image"],
};

/** A caller without any role. */
export const stranger = createIdentity("stranger");

/** Our server, with a group and the types that are measured. */
export async function startOurs(): Promise<ServerProcess> {
  const server = await startServerProcess({ config: { authentication: configuredTokens(stranger) } });
  const client = createClient({ endpoint: server.url, token: server.token });
  await client.groups.put("bench");
  for (const [namespace, type] of [
    ["Radius.Core", "settings"],
    ["Bench.Load", "items"],
  ] as const) {
    await registerManifest(client, {
      namespace,
      location: { name: "global" },
      types: [{ name: type, capabilities: [], apiVersions: [{ name: apiVersion, schema }] }],
    });
  }
  return server;
}

/** The bare server of `baseline/server.ts`. */
export class Baseline implements AsyncDisposable {
  readonly url: string;
  readonly token = "";
  readonly #folder: string;
  readonly #child: ChildProcess;

  private constructor(url: string, folder: string, child: ChildProcess) {
    this.url = url;
    this.#folder = folder;
    this.#child = child;
  }

  static async start(): Promise<Baseline> {
    const folder = await mkdtemp(path.join(tmpdir(), "rad-baseline-"));
    const { child, ready } = await launch(path.join(import.meta.dirname, "baseline", "server.ts"), [folder]);
    return new Baseline(String(ready["url"]), folder, child);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const exited = once(this.#child, "exit");
    this.#child.kill();
    await exited;
    await rm(this.#folder, { recursive: true, force: true });
  }
}
