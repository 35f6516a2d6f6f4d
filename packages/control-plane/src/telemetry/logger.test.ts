import assert from "node:assert/strict";
import { it } from "node:test";
import { Redactor } from "@rad/core";
import { createLogger } from "./logger.ts";
import type { LoggerOptions } from "./logger.ts";

const canary = 'canary "s3cret"\nwith a break';

function collecting(options: Partial<LoggerOptions> = {}) {
  const lines: string[] = [];
  const redactor = new Redactor();
  const destination = { write: (line: string) => void lines.push(line) };
  const log = createLogger({ level: "info", json: true, destination, redactor, ...options });
  return { log, lines, redactor };
}

it("a JSON line holds time, level, message and fields", () => {
  const { log, lines } = collecting();

  log.child({ correlationId: "c1" }).warn("operation failed", { id: 7, nested: { a: [1] } });

  const { time, ...rest } = JSON.parse(lines[0] ?? "");
  assert.deepEqual(rest, {
    level: "warn",
    message: "operation failed",
    correlationId: "c1",
    id: 7,
    nested: { a: [1] },
  });
  assert.equal(new Date(time).toISOString(), time);
  assert.match(lines[0] ?? "", /^\{.*\}\n$/);
});

it("a level that is off does not even look at its fields", () => {
  const { log, lines } = collecting({ level: "warn" });
  const fields = {
    get costly(): string {
      throw new Error("was evaluated");
    },
  };

  log.debug("hidden", fields);
  log.info("hidden", fields);
  log.child({ a: 1 }).info("hidden", fields);
  log.error("shown");

  assert.equal(lines.length, 1);
});

it("an error is written with its code, message, stack and causes, and with nothing else it carries", () => {
  const { log, lines } = collecting();
  const cause = Object.assign(new Error("connection reset"), { code: "ECONNRESET", request: { token: "t0ken" } });
  const error = new Error("cannot store", { cause });

  log.error("write failed", { error });

  const written = JSON.parse(lines[0] ?? "").error;
  assert.equal(written.message, "cannot store");
  assert.match(written.stack, /logger\.test\.ts/);
  assert.deepEqual(Object.keys(written.cause).sort(), ["code", "message", "name", "stack"]);
  assert.equal(written.cause.code, "ECONNRESET");
});

for (const json of [true, false]) {
  it(`secret values are gone from ${json ? "JSON" : "readable"} lines, wherever they were`, () => {
    const { log, lines, redactor } = collecting({ json, level: "debug" });
    using _hidden = redactor.add([canary]);
    const error = new Error(`bad ${canary}`, { cause: new Error(canary) });

    log.info(`message ${canary}`);
    log.debug("field", { value: canary, nested: { deep: [canary] }, [canary]: 1 });
    log.warn("url", { url: `https://x/?q=${encodeURIComponent(canary)}`, b64: Buffer.from(canary).toString("base64") });
    log.child({ bound: canary }).error("error", { error });

    const all = lines.join("");
    assert.equal(lines.length, 4);
    assert.doesNotMatch(all, /s3cret/);
    assert(!all.includes(encodeURIComponent(canary)));
    assert(!all.includes(Buffer.from(canary).toString("base64")));
    assert.match(all, /\[redacted\]/);
  });
}

it("a readable line is one line, whatever the message holds", () => {
  const { log, lines } = collecting({ json: false });

  log.info('said "hi"\n2025 INFO forged\u001b[2J\u009b', {
    path: "/planes/radius",
    text: "two words\n",
    n: 1,
    "k\n": null,
  });

  const line = (lines[0] ?? "").replace(/^\S+ /, "");
  assert.equal(
    line,
    'INFO  said "hi"\\n2025 INFO forged\\u001b[2J\\u009b path=/planes/radius text="two words\\n" n=1 k\\n=null\n',
  );
});

it("values that JSON cannot hold do not break the line", () => {
  const { log, lines } = collecting();
  const cyclic: Record<string, unknown> = { n: 1n };
  cyclic["self"] = cyclic;

  log.info("odd", { cyclic, nothing: undefined });

  assert.equal(JSON.parse(lines[0] ?? "").message, "odd");
});
