import { isJsonObject, type JsonObject, type JsonValue, objectMember } from "@rad/core/json";
import { ResourceId } from "@rad/core/resource-id";
import { printableLine } from "../output/printable.ts";

/** A graph as every format but JSON shows it: each text is one line without control characters. */
export interface ShownGraph {
  readonly application: string;
  readonly nodes: readonly ShownNode[];
  readonly edges: readonly ShownEdge[];
}

export interface ShownNode {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  /** Absent when there is nothing to say: it has succeeded. */
  readonly state: string | undefined;
  /** An SVG text. */
  readonly icon: string | undefined;
  readonly outbound: readonly ShownEnd[];
  readonly inbound: readonly ShownEnd[];
  readonly outputResources: readonly ShownOutput[];
}

export interface ShownEnd {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly isDependency: boolean;
}

export interface ShownOutput {
  readonly name: string;
  readonly type: string;
  readonly portalUrl: string | undefined;
}

/** From node to node. */
export interface ShownEdge {
  readonly from: ShownNode;
  readonly to: ShownNode;
  readonly isDependency: boolean;
}

/** Reads a graph as the control plane sends it, or as a file gives it. What is not of its shape is left out. */
export function shownGraph(application: string, document: JsonObject): ShownGraph {
  const icons = objectMember(document, "icons");
  const nodes = objectsIn(document["resources"]).map((resource) => shownNode(resource, icons));
  const byKey = new Map(nodes.map((node) => [node.id.toLowerCase(), node]));
  const edges = nodes.flatMap((from) =>
    from.outbound.flatMap(({ id, isDependency }) => {
      const to = byKey.get(id.toLowerCase());
      return to === undefined ? [] : [{ from, to, isDependency }];
    }),
  );
  return { application: oneLine(application), nodes, edges };
}

function shownNode(resource: JsonObject, icons: JsonObject): ShownNode {
  const state = textOf(resource, "provisioningState");
  const icon = icons[textOf(resource, "iconHash")];
  const ends = (direction: string): ShownEnd[] =>
    objectsIn(resource["connections"])
      .filter((connection) => connection["direction"] === direction)
      .map((connection) => shownEnd(textOf(connection, "id"), connection["kind"] === "Dependency"));
  return {
    id: textOf(resource, "id"),
    name: textOf(resource, "name"),
    type: textOf(resource, "type"),
    state: state === "" || state === "Succeeded" ? undefined : state,
    icon: typeof icon === "string" ? icon : undefined,
    outbound: ends("Outbound"),
    inbound: ends("Inbound"),
    outputResources: objectsIn(resource["outputResources"]).map((output) => ({
      name: textOf(output, "name"),
      type: textOf(output, "type"),
      portalUrl: typeof output["portalUrl"] === "string" ? oneLine(output["portalUrl"]) : undefined,
    })),
  };
}

function shownEnd(id: string, isDependency: boolean): ShownEnd {
  const parsed = ResourceId.tryParse(id);
  return { id, name: parsed?.name ?? id, type: parsed?.type ?? "", isDependency };
}

function objectsIn(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

function textOf(object: JsonObject, member: string): string {
  const value = object[member];
  return typeof value === "string" ? oneLine(value) : "";
}

/** No format has a way to write half of a surrogate pair. */
function oneLine(text: string): string {
  return printableLine(text).toWellFormed();
}
