// npm run conformance -- <folder> [--url URL --token-file FILE] [--leave-out TEXT]
//
// Replays the examples of OpenAPI (Swagger 2.0) documents against a control plane and checks what comes back. Without
// --url it starts one of its own in a temporary folder.
import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { startServerProcess } from "../../e2e/support/server-process.ts";
import { readDocuments } from "./documents.ts";
import { runExamples } from "./run-examples.ts";
import type { Outcome } from "./run-examples.ts";

const usage = "Usage: npm run conformance -- <folder> [--url URL --token-file FILE] [--leave-out TEXT]";

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      url: { type: "string" },
      "token-file": { type: "string" },
      "leave-out": { type: "string", default: "credential" },
    },
  });
  const [folder] = positionals;
  if (folder === undefined || positionals.length > 1) {
    throw new Error(usage);
  }
  const documents = await readDocuments(folder);
  if (documents.length === 0) {
    throw new Error(`${folder} holds no Swagger 2.0 document`);
  }
  const omitted = values["leave-out"].toLowerCase();
  const leaveOut = (id: string): boolean => omitted !== "" && id.toLowerCase().includes(omitted);

  await using server = values.url === undefined ? await startServerProcess() : undefined;
  const token = server?.token ?? (await readToken(values["token-file"]));
  const url = server?.url ?? values.url ?? "";
  const outcomes = await runExamples(documents, { url: url.replace(/\/+$/, ""), token }, leaveOut);
  return report(outcomes);
}

async function readToken(file: string | undefined): Promise<string> {
  if (file === undefined) {
    throw new Error("--url needs --token-file");
  }
  return (await readFile(file, "utf8")).trim();
}

function report(outcomes: readonly Outcome[]): number {
  const width = Math.max(...outcomes.map((outcome) => outcome.example.length));
  for (const { example, request, status, problems } of outcomes) {
    const verdict = problems.length === 0 ? "pass" : "FAIL";
    process.stdout.write(`${verdict}  ${example.padEnd(width)}  ${String(status ?? "-").padEnd(3)}  ${request}\n`);
    for (const problem of problems) {
      process.stdout.write(`      ${problem}\n`);
    }
  }
  const passed = outcomes.filter((outcome) => outcome.problems.length === 0).length;
  process.stdout.write(`${passed} of ${outcomes.length}\n`);
  return passed === outcomes.length && passed > 0 ? 0 : 1;
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
