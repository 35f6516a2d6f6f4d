// npm run conformance:examples -- <folder>
//
// Holds the PUT examples of OpenAPI (Swagger 2.0) documents against the schemas of the built-in types, as the server
// does with a request: location, name and properties. Lists those that are refused and what would be dropped of the
// others.
import { atOnce, isJsonObject } from "@rad/core";
import type { JsonObject } from "@rad/core";
import { builtInTypes } from "@rad/radius-types";
import { compileSchema } from "@rad/resource-types";
import type { ResourceSchema } from "@rad/resource-types";
import { readDocuments } from "./documents.ts";
import type { ApiOperation, Example } from "./documents.ts";

interface Verdict {
  readonly problems: readonly string[];
  readonly dropped: readonly string[];
}

async function main(): Promise<number> {
  const [folder] = process.argv.slice(2);
  if (folder === undefined) {
    throw new Error("Usage: npm run conformance:examples -- <folder>");
  }
  let count = 0;
  let refused = 0;
  for (const { operations, examples } of await readDocuments(folder)) {
    const puts = operations.filter(({ method }) => method === "put");
    for (const example of examples) {
      const operation = puts.find(
        ({ id, exampleFiles }) => id === example.operationId || exampleFiles.includes(example.name),
      );
      const schema = operation && schemaOf(operation);
      if (operation === undefined || schema === undefined) {
        continue;
      }
      const verdict = judge(schema, bodyOf(example));
      count += 1;
      refused += verdict.problems.length > 0 ? 1 : 0;
      report(`${typeOf(operation)}  ${example.name}`, verdict);
    }
  }
  process.stdout.write(`${refused} of ${count} refused\n`);
  return count > 0 ? 0 : 1;
}

/** Examples spell the name of the body as they like; it is the one object among their parameters. */
function bodyOf({ parameters }: Example): JsonObject {
  return Object.values(parameters).find(isJsonObject) ?? {};
}

function judge(schema: ResourceSchema, body: JsonObject): Verdict {
  const { properties } = body;
  const problems = typeof body["location"] === "string" ? [] : ["$.location: is required."];
  if (!isJsonObject(properties)) {
    return { problems: [...problems, "$.properties: is required."], dropped: [] };
  }
  problems.push(...atOnce(schema.validate(properties)).map(({ path, message }) => `${path}: ${message}`));
  return { problems, dropped: atOnce(schema.dropUnknown(atOnce(schema.stripReadOnly(properties)))).dropped };
}

function report(example: string, { problems, dropped }: Verdict): void {
  process.stdout.write(`${problems.length === 0 ? "accepted" : "REFUSED "}  ${example}\n`);
  for (const problem of problems) {
    process.stdout.write(`          ${problem}\n`);
  }
  for (const path of problems.length === 0 ? dropped : []) {
    process.stdout.write(`          drops ${path}\n`);
  }
}

function schemaOf(operation: ApiOperation): ResourceSchema | undefined {
  const name = typeOf(operation).toLowerCase();
  const versions = builtInTypes.find((type) => type.name.toLowerCase() === name)?.versions ?? {};
  const [schema] = Object.values(versions);
  return schema === undefined ? undefined : compileSchema(schema);
}

/** `…/providers/Applications.Core/containers/{containerName}` is about `Applications.Core/containers`. */
function typeOf({ template }: ApiOperation): string {
  return /\/providers\/([^/{]+\/[^/{]+)\/\{[^/]+\}$/.exec(template)?.[1] ?? "";
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
