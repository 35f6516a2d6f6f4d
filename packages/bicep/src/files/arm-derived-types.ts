import type { Value } from "@rad/templates";
import type { ReferenceProblem } from "../semantics/index.ts";
import { parseResourceReference } from "../types/index.ts";
import { findReference } from "./arm-types.ts";
import { asArray, asObject, asString, member } from "./json-document.ts";
import { problems } from "./problems.ts";

/**
 * What is odd about the resource types that type nodes of a JSON template say they are made from, each thing once.
 * Such nodes still have a type of their own, so these are warnings.
 */
export function derivedTypeWarnings(
  document: ReadonlyMap<string, Value>,
  nodes: Iterable<Value>,
): readonly ReferenceProblem[] {
  const found = new Map<string, ReferenceProblem>();
  const seen = new Set<string>();
  const waiting = Array.from(nodes);
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    const derived = member(member(node, "metadata"), "__bicep_resource_derived_type!");
    const problem = problemOf(asString(derived) ?? asString(member(derived, "source")));
    if (problem !== undefined) {
      found.set(problem.message, problem);
    }
    waiting.push(...partsOf(node));
    const reference = asString(member(node, "$ref"));
    const target = reference === undefined || seen.has(reference) ? undefined : findReference(document, reference);
    if (reference !== undefined && target !== undefined) {
      seen.add(reference);
      waiting.push(target);
    }
  }
  return Array.from(found.values());
}

function* partsOf(node: Value): Iterable<Value> {
  yield* asObject(member(node, "properties"))?.values() ?? [];
  yield* asObject(member(member(node, "discriminator"), "mapping"))?.values() ?? [];
  yield* asArray(member(node, "prefixItems")) ?? [];
  for (const name of ["items", "additionalProperties"]) {
    const part = member(node, name);
    if (part !== undefined) {
      yield part;
    }
  }
}

/** What is wrong with `type@version#path/to/a/part`. */
function problemOf(source: string | undefined): ReferenceProblem | undefined {
  if (source === undefined) {
    return undefined;
  }
  const hash = source.indexOf("#");
  const type = hash < 0 ? source : source.slice(0, hash);
  if (parseResourceReference(type) === undefined) {
    return problems.derivedTypeUnknown(type);
  }
  const segments = hash < 0 ? [] : source.slice(hash + 1).split("/");
  for (let at = 0; at < segments.length; at += 1) {
    const segment = segments[at] ?? "";
    if (segment === "properties" || segment === "prefixItems") {
      at += 1; // a name or a number follows
    } else if (segment !== "items" && segment !== "additionalProperties") {
      return problems.derivedTypeSegment(segment);
    }
  }
  return undefined;
}
