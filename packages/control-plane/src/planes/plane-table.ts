import { type JsonObject, objectMember } from "@rad/core";
import type { PlaneModule } from "@rad/modules";

/** The types of planes that this server knows. */
export class PlaneTable {
  readonly #planes: ReadonlyMap<string, PlaneModule>;
  /** Names as they follow `/planes/`, sorted. */
  readonly names: readonly string[];
  /** The names for messages: `aws, azure or radius`. */
  readonly anyName: string;
  /** Whether any of them has code. */
  readonly hasCode: boolean;

  constructor(planes: readonly PlaneModule[]) {
    this.#planes = new Map(planes.map((plane) => [plane.name, plane]));
    this.names = [...this.#planes.keys()].toSorted();
    this.anyName = joinWithOr(this.names);
    this.hasCode = planes.some(({ code }) => code !== undefined);
  }

  get(name: string): PlaneModule | undefined {
    return this.#planes.get(name);
  }

  [Symbol.iterator](): Iterator<PlaneModule> {
    return this.#planes.values();
  }
}

/** Not `Intl.ListFormat`, which loads six megabytes of locale data for one message. */
function joinWithOr(names: readonly string[]): string {
  const last = names.at(-1) ?? "";
  return names.length < 2 ? last : `${names.slice(0, -1).join(", ")} or ${last}`;
}

/** Without those that a plane of this type does not have. */
export function knownProperties(plane: PlaneModule, properties: JsonObject): JsonObject {
  const known = objectMember(plane.schema, "properties");
  return Object.fromEntries(Object.entries(properties).filter(([key]) => Object.hasOwn(known, key)));
}
