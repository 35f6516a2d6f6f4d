import { isJsonObject } from "../../packages/core/src/index.ts";

/** Reads a parsed file of a Bicep type package; nothing when it has no such file. */
export type ReadDocument = (path: string) => unknown;

/** How two type packages differ, one line each; none when `ours` says what `theirs` says. */
export function compareTypePackages(theirs: ReadDocument, ours: ReadDocument): string[] {
  const expected = resourcesOf(theirs);
  const actual = resourcesOf(ours);
  const lines: string[] = [];
  for (const [key, resource] of expected) {
    const own = actual.get(key);
    lines.push(...(own === undefined ? [`${resource.name}: missing type`] : compareResources(resource, own)));
  }
  for (const [key, { name }] of actual) {
    if (!expected.has(key)) {
      lines.push(`${name}: only ours`);
    }
  }
  return lines;
}

type Definition = Readonly<Record<string, unknown>>;

/** A definition with the file that its references start from. */
interface Place {
  readonly read: ReadDocument;
  readonly file: string;
  readonly definition: Definition;
}

interface Resource {
  readonly name: string;
  readonly place: Place;
}

function resourcesOf(read: ReadDocument): Map<string, Resource> {
  const { resources } = asDefinition(read("index.json"));
  const found = new Map<string, Resource>();
  for (const [name, reference] of Object.entries(asDefinition(resources))) {
    found.set(name.toLowerCase(), { name, place: follow(read, "index.json", reference) });
  }
  return found;
}

function compareResources(theirs: Resource, ours: Resource): string[] {
  const comparison = new Comparison(theirs.name);
  comparison.types("", at(theirs.place, "body"), at(ours.place, "body"));
  const functions = asDefinition(theirs.place.definition["functions"]);
  const own = asDefinition(ours.place.definition["functions"]);
  for (const name of namesOf(functions, own)) {
    comparison.functions(name, memberType(theirs.place, functions[name]), memberType(ours.place, own[name]));
  }
  return comparison.lines;
}

/** Walks two types side by side. Types that are used in several places are compared where they are met first. */
class Comparison {
  readonly lines: string[] = [];
  readonly #type: string;
  readonly #seen = new Set<string>();
  readonly #ids = new Map<Definition, number>();

  constructor(type: string) {
    this.#type = type;
  }

  types(path: string, theirs: Place, ours: Place): void {
    const pair = `${this.#idOf(theirs)} ${this.#idOf(ours)}`;
    if (this.#seen.has(pair)) {
      return;
    }
    this.#seen.add(pair);
    const [expected, actual] = [kindOf(theirs), kindOf(ours)];
    if (expected !== actual) {
      this.#report(path, `is ${actual}, upstream ${expected}`);
      return;
    }
    this.#members(path, membersOf(theirs), membersOf(ours));
  }

  functions(name: string, theirs: Place | undefined, ours: Place | undefined): void {
    if (theirs === undefined || ours === undefined) {
      this.#report(`${name}()`, theirs === undefined ? "only ours" : "missing");
      return;
    }
    this.#members(`${name}()`, parametersOf(theirs), parametersOf(ours));
    this.types(`${name}()`, at(theirs, "output"), at(ours, "output"));
  }

  #members(path: string, theirs: Members, ours: Members): void {
    for (const [name, expected] of inReadingOrder(theirs)) {
      const actual = ours.get(name);
      const place = join(path, name);
      if (actual === undefined) {
        this.#report(place, "missing");
        continue;
      }
      if (expected.flags !== actual.flags) {
        this.#report(place, `is ${flagsText(actual.flags)}, upstream ${flagsText(expected.flags)}`);
      }
      this.types(place, expected.place, actual.place);
    }
    for (const name of ours.keys()) {
      if (!theirs.has(name)) {
        this.#report(join(path, name), "only ours");
      }
    }
  }

  #report(path: string, difference: string): void {
    this.lines.push(`${this.#type}${path === "" ? "" : ` ${path}`}: ${difference}`);
  }

  #idOf({ definition }: Place): number {
    const id = this.#ids.get(definition) ?? this.#ids.size;
    this.#ids.set(definition, id);
    return id;
  }
}

interface Member {
  readonly flags: number;
  readonly place: Place;
}

/** By name: properties, `*` for others, `[]` for items, `<kind>` for kinds of a discriminated object. */
type Members = ReadonlyMap<string, Member>;

function membersOf(place: Place): Members {
  const { definition } = place;
  switch (definition["$type"]) {
    case "ObjectType":
      return objectMembers(place);
    case "ArrayType":
      return new Map([["[]", { flags: 0, place: at(place, "itemType") }]]);
    case "DiscriminatedObjectType": {
      const shared = asDefinition(definition["baseProperties"]);
      const kinds = Object.entries(asDefinition(definition["elements"])).map(([kind, reference]): [string, Member] => {
        const element = follow(place.read, place.file, reference);
        const properties = { ...shared, ...asDefinition(element.definition["properties"]) };
        // Where a property is written, beside the kinds or in each of them, makes no difference.
        return [`<${kind}>`, { flags: 0, place: { ...element, definition: { ...element.definition, properties } } }];
      });
      return new Map(kinds);
    }
    default:
      return new Map();
  }
}

function objectMembers(place: Place): Members {
  const members = new Map<string, Member>();
  for (const [name, property] of Object.entries(asDefinition(place.definition["properties"]))) {
    const { flags, type } = asDefinition(property);
    members.set(name, { flags: Number(flags ?? 0), place: follow(place.read, place.file, type) });
  }
  if (place.definition["additionalProperties"] !== undefined) {
    members.set("*", { flags: 0, place: at(place, "additionalProperties") });
  }
  return members;
}

function parametersOf(place: Place): Members {
  const { parameters } = place.definition;
  return new Map(
    (Array.isArray(parameters) ? parameters : []).map((parameter, position): [string, Member] => {
      const { name, type } = asDefinition(parameter);
      return [`${position} ${String(name)}`, { flags: 0, place: follow(place.read, place.file, type) }];
    }),
  );
}

/** The word for a type in a message; lengths and patterns, which upstream leaves out, are none of it. */
function kindOf(place: Place): string {
  const { definition } = place;
  const kind = definition["$type"];
  const word = typeof kind === "string" ? kind.replace(/Type$/, "") : "nothing";
  const marked = definition["sensitive"] === true ? `sensitive ${word}` : word;
  if (word === "StringLiteral") {
    return JSON.stringify(definition["value"]);
  }
  const { elements, discriminator } = definition;
  if (word === "DiscriminatedObject") {
    return `${marked} by ${String(discriminator)}`;
  }
  return Array.isArray(elements)
    ? elements
        .map((reference) => kindOf(follow(place.read, place.file, reference)))
        .sort()
        .join(" | ")
    : marked;
}

const flagNames = ["required", "read-only", "write-only", "deploy-time constant", "identifier"];

function flagsText(flags: number): string {
  const names = flagNames.filter((_, bit) => (flags & (1 << bit)) !== 0);
  return names.length === 0 ? "optional" : names.join(" + ");
}

/** `properties` first: what differs there also differs in the copies at the top, and is reported once. */
function inReadingOrder(members: Members): readonly (readonly [string, Member])[] {
  const isProperties = ([name]: readonly [string, Member]) => name === "properties";
  const all = [...members];
  return [...all.filter(isProperties), ...all.filter((member) => !isProperties(member))];
}

function join(path: string, name: string): string {
  return path === "" ? name : `${path}${name.startsWith("[") ? "" : "."}${name}`;
}

function at(place: Place, member: string): Place {
  return follow(place.read, place.file, place.definition[member]);
}

function memberType(place: Place, member: unknown): Place | undefined {
  return member === undefined ? undefined : follow(place.read, place.file, asDefinition(member)["type"]);
}

function follow(read: ReadDocument, file: string, reference: unknown): Place {
  const [path = "", position] = String(asDefinition(reference)["$ref"]).split("#/");
  const target = path === "" ? file : path;
  const definitions = read(target);
  return {
    read,
    file: target,
    definition: asDefinition(Array.isArray(definitions) ? definitions[Number(position)] : {}),
  };
}

function namesOf(...records: readonly Definition[]): ReadonlySet<string> {
  return new Set(records.flatMap((record) => Object.keys(record)));
}

function asDefinition(value: unknown): Definition {
  return isJsonObject(value) ? value : {};
}
