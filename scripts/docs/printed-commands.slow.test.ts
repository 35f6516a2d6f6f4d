// Every command and every file of the pages, as readers type them, in an empty home. See `printedSteps`.
import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { it } from "node:test";
import { isAsPrinted, printedSteps } from "./printed-commands.ts";
import { runSteps } from "./run-commands.ts";

const root = path.join(import.meta.dirname, "..", "..");

/** Pages whose commands run on a terminal, where `rad` asks and draws. */
const onTerminal = new Set(["docs/tutorial.md"]);

for (const page of globSync(["docs/**/*.md", "examples/*.md"], { cwd: root })) {
  const steps = printedSteps(await readFile(path.join(root, page), "utf8"));
  if (steps.some(({ kind }) => kind === "command")) {
    it(`${page} works as it is printed`, async () => {
      const ran = await runSteps(steps, { terminal: onTerminal.has(page) });

      for (const { step, output, status } of ran) {
        if (step.kind === "command") {
          const place = `${page}:${step.line}: ${step.command}\n${output}`;
          assert.equal(status, step.status, `${place}\n(exit code ${status})`);
          assert.ok(isAsPrinted(step.output, output), `${place}\n(the page shows)\n${step.output.join("\n")}`);
        }
      }
    });
  }
}
