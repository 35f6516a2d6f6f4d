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
import type { Subject } from "./compare.ts";
import { maxConnections, namesPerConnection } from "./load/job.ts";

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

/** Our server on SQLite, with a group and the types that are measured. */
export async function startOurs(): Promise<ServerProcess> {
  const server = await startServerProcess({ config: { authentication: configuredTokens(stranger) } });
  await prepare(server);
  return server;
}

/** Makes the group and registers the types. */
export async function prepare(server: ServerProcess): Promise<void> {
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
}

/** Makes the resources that GET and PUT go round over. */
export async function fill(
  server: { readonly url: string; readonly token: string },
  collection: string,
): Promise<void> {
  for (let connection = 0; connection < maxConnections; connection += 1) {
    for (let index = 0; index < namesPerConnection; index += 1) {
      const response = await fetch(`${server.url}${collection}/item-${connection}-${index}?api-version=${apiVersion}`, {
        method: "PUT",
        headers: { "content-type": "application/json", authorization: `Bearer ${server.token}` },
        body: JSON.stringify(resource),
      });
      if (!response.ok) {
        throw new Error(`cannot fill ${collection}: ${response.status} ${await response.text()}`);
      }
    }
  }
}

/** A bare server: a script of `baseline/`. */
export interface Baseline extends AsyncDisposable {
  readonly url: string;
  readonly token: string;
  readonly pid: number;
}

export async function startBaseline(script: string, env: Readonly<Record<string, string>> = {}): Promise<Baseline> {
  const folder = await mkdtemp(path.join(tmpdir(), "rad-baseline-"));
  const { child, ready } = await launch(path.join(import.meta.dirname, "baseline", script), [folder], { env });
  return {
    url: String(ready["url"]),
    token: "",
    pid: child.pid ?? 0,
    [Symbol.asyncDispose]: async () => {
      const exited = once(child, "exit");
      child.kill();
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

interface Process {
  readonly url: string;
  readonly token: string;
  readonly pid: number;
}

/** Servers on one database, whose process counts as well where it has one. */
export function subjectOf(servers: readonly [Process, ...Process[]], databasePid?: number): Subject {
  return {
    urls: servers.map(({ url }) => url),
    token: servers[0].token,
    pids: [...servers.map(({ pid }) => pid), ...(databasePid === undefined ? [] : [databasePid])],
    poll: true,
  };
}
