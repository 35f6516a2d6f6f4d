import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { isTerminal } from "@rad/core";
import { until } from "@rad/core/testing";
import { heavyBodies } from "./heavy/heavy-bodies.ts";
import { heavyContainers } from "./heavy/heavy-containers.ts";
import { type HeavyRequest, longestTurnInCalibrations } from "./heavy/heavy-request.ts";
import { heavyTemplates, manyReadyAtOnce } from "./heavy/heavy-templates.ts";
import { registerHeavyTypes } from "./heavy/heavy-types.ts";
import { startServerProcess } from "./support/server-process.ts";
import type { ServerProcess } from "./support/server-process.ts";

// Whatever one caller asks for, the others are served meanwhile: between two turns of the event loop the main thread
// works for a quarter of a second at most. CPU time is compared with that of a fixed amount of work in the same process,
// so that neither a slow machine nor a busy one makes a difference.

/** What one request may need, above what the server has already. */
const mostMemoryMb = 900;

describe("no request keeps the event loop", () => {
  let server: ServerProcess;

  before(async () => {
    server = await startServerProcess({ probe: true });
    await registerHeavyTypes(server);
  });

  after(() => server[Symbol.asyncDispose]());

  for (const heavy of [...heavyBodies, manyReadyAtOnce, ...heavyTemplates, ...heavyContainers]) {
    it(heavy.name, async (t) => {
      for (const first of heavy.before ?? []) {
        await send(server, first);
      }
      let outcome = "";
      const { longestMs, calibrationMs, rssMb } = await server.turnsDuring(async () => {
        outcome = await send(server, heavy);
      });
      t.diagnostic(
        `${outcome}, ${longestMs.toFixed(0)} ms, ${(longestMs / calibrationMs).toFixed(1)} × calibration, ${rssMb.toFixed(0)} MB`,
      );
      assert.ok(
        longestMs / calibrationMs <= longestTurnInCalibrations,
        `a turn took ${longestMs.toFixed(0)} ms, ${(longestMs / calibrationMs).toFixed(1)} times the calibration`,
      );
      assert.ok(rssMb < mostMemoryMb, `the server has grown to ${rssMb.toFixed(0)} MB`);
    });
  }
});

async function send(server: ServerProcess, heavy: HeavyRequest): Promise<string> {
  const headers = { authorization: `Bearer ${server.token}`, "content-type": "application/json" };
  const response = await fetch(`${server.url}${heavy.path}`, {
    method: heavy.method,
    headers,
    ...(heavy.body === undefined ? {} : { body: heavy.body() }),
  });
  const text = await response.text();
  assert.ok(response.status < 500, `${response.status}: ${text.slice(0, 500)}`);
  if (!response.ok) {
    const { error } = JSON.parse(text) as { error: { code: string; message: string } };
    assert.ok(error.code.length > 0 && error.message.length > 0);
    return `${response.status} ${error.code} ${error.message}`.slice(0, 200);
  }
  const link = response.headers.get("azure-asyncoperation");
  if (heavy.untilEnded === true && link !== null) {
    await until(
      `${heavy.name} has ended`,
      async () => {
        const { status } = (await (await fetch(link, { headers })).json()) as { status: string };
        return isTerminal(status);
      },
      { timeoutMs: 120_000 },
    );
  }
  return `${response.status}`;
}
