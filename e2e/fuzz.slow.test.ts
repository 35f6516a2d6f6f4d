import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { describe, it } from "node:test";
import { Compilation, createMemoryHost, formatBicep } from "@rad/bicep";
import { createClient, registerManifest } from "@rad/client";
import { isTerminal } from "@rad/core";
import { until } from "@rad/core/testing";
import { ManifestError, parseManifest } from "@rad/resource-types";
import { Dice } from "./fuzz/dice.ts";
import { anyText } from "./fuzz/files.ts";
import { type RawAnswer, sendRaw } from "./fuzz/raw-request.ts";
import { anyRequest, type FuzzRequest } from "./fuzz/requests.ts";
import { anyTemplate, canary } from "./fuzz/templates.ts";
import { longestTurnInCalibrations } from "./heavy/heavy-request.ts";
import { startServerProcess } from "./support/server-process.ts";
import type { ServerProcess } from "./support/server-process.ts";

// Random input of every kind that the product takes. RAD_FUZZ_MINUTES goes on for so long with each kind instead of
// stopping after a number of cases, RAD_FUZZ_SEED repeats a run; the seed of a case is that of the run and its number.
const minutes = Number(process.env["RAD_FUZZ_MINUTES"] ?? 0);
const seed = Number(process.env["RAD_FUZZ_SEED"] ?? Date.now() % 1_000_000);
const counts = { requests: 3_000, templates: 600, bicep: 400, manifests: 600 } as const;

/** After so many looks the server has everything loaded. */
const warmUp = 3;
/** Memory that caches with a limit may take once they are full, and the rows that the requests leave behind. */
const growthMb = 100;

/** Cases between two looks at the server. */
const stretch = 200;

describe("random input", () => {
  it("HTTP requests", async (t) => {
    await using server = await start();
    await fuzzServer(t, server, "requests", async (dice, send) =>
      outcomeOf(await send(anyRequest(dice, server.token))),
    );
  });

  it("templates", async (t) => {
    await using server = await start();
    await fuzzServer(t, server, "templates", (dice, send) => deployAny(dice, send, server));
  });

  it("Bicep files", async (t) => {
    const sources = await read("e2e/deploy/cases/**/*.bicep", "examples/**/*.bicep");
    const tried = await forEachCase("bicep", async (dice) => {
      const text = anyText(dice, sources);
      const host = createMemoryHost({ files: new Map([["/main.bicep", text]]), environment: {} });
      const compilation = new Compilation({ host });
      for (const { diagnostics } of compilation.diagnostics("/main.bicep")) {
        for (const { code, message } of diagnostics) {
          assert.ok(code.length > 0 && message.length > 0);
        }
      }
      if (!compilation.hasErrors("/main.bicep")) {
        compilation.emitTemplate("/main.bicep", { generatorVersion: "1.0.0" });
      }
      formatBicep(text, {});
    });
    t.diagnostic(`${tried} Bicep files, RAD_FUZZ_SEED=${seed}`);
  });

  it("manifests", async (t) => {
    const sources = await read("examples/**/*.yaml", "e2e/fuzz/*.yaml");
    const tried = await forEachCase("manifests", async (dice) => {
      try {
        parseManifest(anyText(dice, sources), "manifest.yaml");
      } catch (error) {
        assert.ok(error instanceof ManifestError, String(error));
      }
    });
    t.diagnostic(`${tried} manifests, RAD_FUZZ_SEED=${seed}`);
  });
});

async function start(): Promise<ServerProcess> {
  const server = await startServerProcess({ probe: true, config: { logging: { level: "error" } } });
  await furnish(server);
  return server;
}

/** What most requests are about; they remove it now and then. */
async function furnish(server: ServerProcess): Promise<void> {
  const client = createClient({ endpoint: server.url, token: server.token });
  await client.groups.put("g1");
  await client.groups.put("g2");
  const anything = { type: "object", properties: { x: {} } };
  const secrets = { type: "object", properties: { x: { type: "string", "x-radius-sensitive": true } } };
  await registerManifest(client, {
    namespace: "Radius.Fuzz",
    location: { name: "global" },
    types: [
      { name: "things", capabilities: [], apiVersions: [{ name: "2025-01-01", schema: anything }] },
      { name: "secrets", capabilities: [], apiVersions: [{ name: "2025-01-01", schema: secrets }] },
    ],
  });
}

/** Sends a request and checks the form of its answer. */
type Send = (request: FuzzRequest) => Promise<RawAnswer>;

/** Validates, previews or deploys a template; a deployment is followed to its end. */
async function deployAny(dice: Dice, send: Send, server: ServerProcess): Promise<string> {
  const action = dice.pick(["", "", "", "", "", "", "/whatIf", "/whatIf", "/validate"]);
  const { template, isSound } = anyTemplate(dice);
  const parameters = !isSound && dice.chance(0.1) ? dice.object() : {};
  const body = Buffer.from(JSON.stringify({ properties: { mode: "Incremental", template, parameters } }));
  const id = `/planes/radius/local/resourcegroups/g1/providers/Microsoft.Resources/deployments/d${dice.number(5)}`;
  const answer = await send({
    method: action === "" ? "PUT" : "POST",
    target: `${id}${action}?api-version=2020-10-01`,
    headers: [
      ["host", "127.0.0.1"],
      ["connection", "close"],
      ["authorization", `Bearer ${server.token}`],
      ["content-type", "application/json"],
    ],
    body: !isSound && dice.chance(0.1) ? dice.damage(body) : body,
  });
  const end = action === "" && answer.status < 300 ? await endOf(server, id) : undefined;
  const outcome = end?.properties.provisioningState ?? outcomeOf(answer);
  const made = isSound ? (end?.properties.outputResources ?? []) : [];
  const shown = [
    end === undefined ? answer.body : JSON.stringify(end),
    ...(made.length > 0 ? [await get(server, `${dice.pick(made).id}?api-version=2025-01-01`)] : []),
  ].join("\n");
  assert.doesNotMatch(shown, /"code":"Internal"/);
  if (isSound) {
    assert.match(outcome, /^(200|Succeeded)$/, `a template that can be deployed is refused or fails: ${shown}`);
    assert.ok(!shown.includes(canary), `a secret is shown: ${shown}`);
  }
  return `${action === "" ? "deploy" : action.slice(1)} ${outcome}`;
}

interface Deployment {
  readonly properties: {
    readonly provisioningState: string;
    readonly outputResources?: readonly { readonly id: string }[];
  };
}

async function endOf(server: ServerProcess, id: string): Promise<Deployment> {
  let deployment: Deployment | undefined;
  await until(
    `${id} has ended`,
    async () => {
      deployment = JSON.parse(await get(server, `${id}?api-version=2020-10-01`)) as Deployment;
      return isTerminal(deployment.properties.provisioningState);
    },
    { timeoutMs: 60_000 },
  );
  assert.ok(deployment !== undefined);
  return deployment;
}

async function get(server: ServerProcess, target: string): Promise<string> {
  const response = await fetch(`${server.url}${target}`, { headers: { authorization: `Bearer ${server.token}` } });
  const text = await response.text();
  assert.equal(response.status, 200, text);
  return text;
}

function outcomeOf({ status, body }: RawAnswer): string {
  return `${status} ${(status < 400 ? undefined : /"code":\s*"(\w+)"/.exec(body)?.[1]) ?? ""}`.trim();
}

interface Reporter {
  diagnostic(message: string): void;
}

async function fuzzServer(
  t: Reporter,
  server: ServerProcess,
  kind: "requests" | "templates",
  run: (dice: Dice, send: Send) => Promise<string>,
): Promise<void> {
  const outcomes = new Map<string, number>();
  let warmMb = 0;
  let [longestMs, rssMb, stretches] = [0, 0, 0];
  const next = casesOf(kind);
  for (let cases = next(); cases.length > 0; cases = next()) {
    const report = await server.turnsDuring(async () => {
      for (const number of cases) {
        let story = "";
        const send: Send = async (request) => {
          story = describeRequest(request);
          const answer = await sendRaw(server.url, request);
          assertProper(answer);
          return answer;
        };
        try {
          const outcome = await run(new Dice(seed + number), send);
          outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
        } catch (error) {
          throw new Error(`RAD_FUZZ_SEED=${seed}, case ${number}: ${story}`, { cause: error });
        }
      }
      await furnish(server);
    });
    ({ rssMb } = report);
    longestMs = Math.max(longestMs, report.longestMs);
    const ratio = report.longestMs / report.calibrationMs;
    assert.ok(
      ratio < longestTurnInCalibrations,
      `a turn took ${report.longestMs} ms in cases ${cases[0]} to ${cases.at(-1)}`,
    );
    stretches += 1;
    if (stretches === warmUp) {
      warmMb = rssMb;
    }
  }
  const counted = [...outcomes].toSorted(([, a], [, b]) => b - a).map(([outcome, count]) => `${count} × ${outcome}`);
  t.diagnostic(`RAD_FUZZ_SEED=${seed}: ${counted.join(", ")}`);
  t.diagnostic(
    `longest turn ${longestMs.toFixed(0)} ms, ${warmMb.toFixed(0)} MB after warm-up, ${rssMb.toFixed(0)} MB at the end`,
  );
  assert.ok(server.isRunning, server.output);
  assert.ok(rssMb < warmMb + growthMb, `memory has grown from ${warmMb.toFixed(0)} to ${rssMb.toFixed(0)} MB`);
}

function assertProper({ status, contentType, body }: RawAnswer): void {
  assert.ok(status < 500, `${status} ${body.slice(0, 500)}`);
  if (status >= 400 && body !== "") {
    assert.match(contentType, /^application\/json/);
    const { error } = JSON.parse(body) as { error?: { code?: unknown; message?: unknown } };
    assert.ok(typeof error?.code === "string" && typeof error.message === "string", body.slice(0, 500));
  }
}

/** The numbers of the next cases, none at the end. */
function casesOf(kind: keyof typeof counts): () => readonly number[] {
  const end = performance.now() + minutes * 60_000;
  let done = 0;
  return () => {
    const left = minutes > 0 ? (performance.now() < end ? stretch : 0) : Math.min(stretch, counts[kind] - done);
    const cases = Array.from({ length: left }, (_, index) => done + index);
    done += left;
    return cases;
  };
}

async function forEachCase(kind: keyof typeof counts, work: (dice: Dice) => Promise<void>): Promise<number> {
  const next = casesOf(kind);
  let tried = 0;
  for (let cases = next(); cases.length > 0; cases = next()) {
    for (const number of cases) {
      try {
        await work(new Dice(seed + number));
      } catch (error) {
        throw new Error(`RAD_FUZZ_SEED=${seed}, case ${number}`, { cause: error });
      }
      tried += 1;
    }
  }
  return tried;
}

async function read(...globs: readonly string[]): Promise<readonly string[]> {
  const root = path.join(import.meta.dirname, "..");
  const files = globSync(globs, { cwd: root }).toSorted();
  assert.ok(files.length > 0, `nothing matches ${globs.join(", ")}`);
  return await Promise.all(files.map((file) => readFile(path.join(root, file), "utf8")));
}

function describeRequest({ method, target, headers, body }: FuzzRequest): string {
  const shown = headers.filter(([name]) => name !== "authorization").map(([name, value]) => `${name}: ${value}`);
  return [`${method} ${target}`, ...shown, body.toString("utf8").slice(0, 3_000)].join("\n");
}
