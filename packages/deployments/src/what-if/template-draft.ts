import { isJsonObject, type JsonObject, type JsonValue } from "@rad/core";
import { isExpressionText, type PlanError } from "@rad/templates";
import { memberOf } from "../request/request-shape.ts";

/** A resource of which it is not known what it is called, or how many there are of it. */
export interface StandIn {
  /** Its name as the template has it: an expression. */
  readonly name: string;
  /** It is never written. */
  readonly existing: boolean;
}

/**
 * A template of which some values are not known, so that it cannot be planned as it is. It gives way where planning
 * fails, one resource at a time and as little as possible, so that all the others keep their place and their names:
 *
 * 1. `written`: as the template has it;
 * 2. `assumed`: without its condition, as if that were true;
 * 3. `nameless`: a stand-in with a made-up name takes its place, so that others can still depend on it and read it;
 * 4. `bare`: a stand-in without the condition.
 */
export class TemplateDraft {
  readonly #template: JsonObject;
  readonly #entries: ReadonlyMap<string, Entry>;
  #asserts = true;

  constructor(template: JsonObject) {
    this.#template = template;
    this.#entries = new Map(entriesOf(template));
  }

  /** By JSON path: resources that are only there if a condition turns out to be true. */
  get assumed(): ReadonlySet<string> {
    return new Set([...this.#entries].flatMap(([path, { form }]) => (form === "assumed" ? [path] : [])));
  }

  /** By JSON path. */
  get standIns(): ReadonlyMap<string, StandIn> {
    const found = [...this.#entries].filter(([, { form }]) => form === "nameless" || form === "bare");
    return new Map(found.map(([path, { written }]) => [path, { name: nameOf(written), existing: isRead(written) }]));
  }

  /** Changes whatever these errors are about; says whether there is anything new to plan. */
  giveWay(errors: readonly PlanError[]): boolean {
    const lost = new Map<Entry, Set<number>>();
    const failed = new Set<Entry>();
    for (const { path } of errors) {
      if (path.startsWith("$.asserts") && this.#asserts) {
        this.#asserts = false; // whether they hold is found out by the run
        continue;
      }
      const [at, entry] = this.#entryAt(path) ?? [];
      if (at === undefined || entry === undefined) {
        return false;
      }
      const dependency = /^\.dependsOn\[(\d+)\]$/.exec(path.slice(at.length))?.[1];
      if (dependency === undefined) {
        failed.add(entry);
      } else {
        lost.set(entry, (lost.get(entry) ?? new Set()).add(Number(dependency)));
      }
    }
    for (const [entry, positions] of lost) {
      entry.dependsOn = entry.dependsOn.filter((_, index) => !positions.has(index));
    }
    return errors.length > 0 && [...failed].every(giveWay);
  }

  toJson(): JsonObject {
    const entries = [...this.#entries.values()].map((entry, index): [string, JsonValue] => [
      entry.key,
      drawn(entry, index),
    ]);
    const isList = Array.isArray(memberOf(this.#template, "resources"));
    const resources = isList ? entries.map(([, entry]) => entry) : Object.fromEntries(entries);
    const kept = Object.entries(this.#template).filter(
      ([name]) => name.toLowerCase() !== "resources" && (this.#asserts || name.toLowerCase() !== "asserts"),
    );
    return { ...Object.fromEntries(kept), resources };
  }

  /** The resource that a path leads into; the longest fits best, since a symbolic name may hold a dot. */
  #entryAt(path: string): [string, Entry] | undefined {
    const around = [...this.#entries].filter(([at]) => path === at || /^[.[]/.test(within(path, at) ?? ""));
    return around.toSorted(([a], [b]) => b.length - a.length)[0];
  }
}

type Form = "written" | "assumed" | "nameless" | "bare";

interface Entry {
  readonly key: string;
  readonly written: JsonObject;
  form: Form;
  dependsOn: readonly JsonValue[];
}

function* entriesOf(template: JsonObject): Generator<[string, Entry]> {
  const resources = memberOf(template, "resources") ?? [];
  const isList = Array.isArray(resources);
  for (const [key, written] of Object.entries(resources)) {
    if (isJsonObject(written)) {
      const listed = memberOf(written, "dependsOn");
      const dependsOn = Array.isArray(listed) ? listed : [];
      yield [isList ? `$.resources[${key}]` : `$.resources.${key}`, { key, written, form: "written", dependsOn }];
    }
  }
}

function within(path: string, at: string): string | undefined {
  return path.startsWith(at) ? path.slice(at.length) : undefined;
}

function giveWay(entry: Entry): boolean {
  const isConditional = isExpression(memberOf(entry.written, "condition"));
  const isLoop = memberOf(entry.written, "copy") !== undefined;
  const forms: Form[] = ["written"];
  if (isConditional) {
    forms.push("assumed");
  }
  if (isConditional && !isLoop) {
    forms.push("nameless"); // in a loop the condition may be another one in each round
  }
  forms.push("bare");
  const next = forms[forms.indexOf(entry.form) + 1];
  entry.form = next ?? entry.form;
  return next !== undefined;
}

function drawn(entry: Entry, index: number): JsonObject {
  const { written, form, dependsOn } = entry;
  switch (form) {
    case "written":
    case "assumed": {
      const left = form === "assumed" ? ["condition", "dependson"] : ["dependson"];
      const kept = Object.entries(written).filter(([name]) => !left.includes(name.toLowerCase()));
      return { ...Object.fromEntries(kept), dependsOn: [...dependsOn] };
    }
    case "nameless":
      return { ...standIn(written, index), condition: memberOf(written, "condition") ?? true };
    case "bare":
      return standIn(written, index);
    default:
      return form satisfies never;
  }
}

const identity = new Set(["type", "apiversion", "import", "extension"]);

/** Only read, so that it is no other resource that is deployed, and needs no template if it is a deployment. */
function standIn(written: JsonObject, index: number): JsonObject {
  const kept = Object.entries(written).filter(([name]) => identity.has(name.toLowerCase()));
  const type = memberOf(written, "type");
  const names = typeof type === "string" ? type.split("/").slice(1) : [];
  const name = names.map(() => `name-not-known-yet-${index}`).join("/");
  return { ...Object.fromEntries(kept), existing: true, name, properties: { name } };
}

/** Extension resources have their names among their properties. */
function nameOf(written: JsonObject): string {
  const properties = memberOf(written, "properties");
  const name = memberOf(written, "name") ?? (isJsonObject(properties) ? memberOf(properties, "name") : undefined);
  return typeof name === "string" ? name : "";
}

function isRead(written: JsonObject): boolean {
  return memberOf(written, "existing") === true;
}

function isExpression(value: JsonValue | undefined): boolean {
  return typeof value === "string" && isExpressionText(value);
}
