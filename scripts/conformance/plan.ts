import { isJsonObject } from "@rad/core";
import type { JsonObject } from "@rad/core";
import type { ApiDocument, ApiOperation, Example } from "./documents.ts";

/** One request to send, and the example that says what may come back. */
export interface Step {
  readonly document: ApiDocument;
  readonly example: Example;
  readonly operation: ApiOperation;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: JsonObject | undefined;
}

export interface Plan {
  readonly steps: readonly Step[];
  /** Examples for which the document has no operation. */
  readonly unmatched: readonly Example[];
}

/** Creates before it reads and deletes at the end: parents are made first and removed last. */
export function planSteps(documents: readonly ApiDocument[], leaveOut: (name: string) => boolean): Plan {
  const steps: Step[] = [];
  const unmatched: Example[] = [];
  for (const document of documents) {
    for (const example of document.examples) {
      const operation = findOperation(document, example);
      if (leaveOut(operation?.id ?? example.operationId ?? example.name)) {
        continue;
      }
      if (operation === undefined) {
        unmatched.push(example);
      } else {
        steps.push(toStep(document, operation, example));
      }
    }
  }
  return { steps: steps.sort((a, b) => phase(a) - phase(b) || depthOrder(a, b)), unmatched };
}

/**
 * What must exist before `step` can be sent: the resources above its path, and the one it is about unless it creates
 * that itself. `exists` tells what an earlier step has made. Bodies come from any example of the creating operation.
 */
export function prerequisites(step: Step, all: readonly Step[], exists: (path: string) => boolean): readonly Step[] {
  const needed: Step[] = [];
  for (const operation of step.document.operations.filter((candidate) => candidate.method === "put")) {
    const path = pathPrefix(operation.template, step.path);
    const isOwn = path === step.path && (step.operation.method === "put" || step.operation.method === "delete");
    if (path === undefined || isOwn || exists(path)) {
      continue;
    }
    const model = all.find((other) => other.operation === operation);
    if (model !== undefined) {
      needed.push({ ...model, path });
    }
  }
  return needed.sort((a, b) => segments(a.path) - segments(b.path));
}

function findOperation(document: ApiDocument, example: Example): ApiOperation | undefined {
  const names = [example.operationId, example.name].flatMap((name) => (name === undefined ? [] : plain(name)));
  return (
    document.operations.find((operation) => names.includes(plain(operation.id))) ??
    document.operations.find((operation) => operation.exampleFiles.includes(example.name))
  );
}

/** Documents and examples disagree on case, and on singular and plural of the group. */
function plain(operationId: string): string {
  const [group = "", ...rest] = operationId.toLowerCase().split("_");
  return [group.replace(/s$/, ""), ...rest].join("_");
}

function toStep(document: ApiDocument, operation: ApiOperation, example: Example): Step {
  const byName = new Map(Object.entries(example.parameters).map(([name, value]) => [name.toLowerCase(), value]));
  const path = operation.template.replaceAll(/\{(.+?)\}/g, (_, name: string) => {
    const value = byName.get(name.toLowerCase());
    const given = typeof value === "string" ? value : `missing-${name}`;
    return operation.unencodedNames.includes(name) ? given.replace(/^\//, "") : encodeURIComponent(given);
  });
  const query = new URLSearchParams();
  for (const name of operation.queryNames) {
    const value = byName.get(name.toLowerCase());
    if (value !== undefined && value !== null && typeof value !== "object") {
      query.set(name, String(value));
    }
  }
  return { document, example, operation, path, query, body: bodyOf(operation, example) };
}

/** Some examples name the body differently from the document; it is the one parameter that is an object. */
function bodyOf(operation: ApiOperation, example: Example): JsonObject | undefined {
  if (operation.bodyName === undefined) {
    return undefined;
  }
  const named = example.parameters[operation.bodyName];
  return isJsonObject(named) ? named : Object.values(example.parameters).find(isJsonObject);
}

function phase(step: Step): number {
  return ["put", "patch", "get", "post", "delete"].indexOf(step.operation.method);
}

function depthOrder(a: Step, b: Step): number {
  const difference = segments(a.path) - segments(b.path);
  return a.operation.method === "delete" ? -difference : difference;
}

function segments(path: string): number {
  return path.split("/").length;
}

/** The part of `path` that fits the template from the start, or `undefined`. */
function pathPrefix(template: string, path: string): string | undefined {
  const wanted = template.split("/");
  const given = path.split("/").slice(0, wanted.length);
  const fits =
    given.length === wanted.length &&
    wanted.every((part, index) => part.startsWith("{") || part.toLowerCase() === given[index]?.toLowerCase());
  return fits ? given.join("/") : undefined;
}
