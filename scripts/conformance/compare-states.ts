import { isJsonObject, objectMember } from "@rad/core";
import type { JsonObject, JsonValue } from "@rad/core";
import { identifiedResources, resourceIdsOf } from "@rad/terraform";

/** A row of `expected.json`: what one resource of a state gives. */
export interface ExpectedId {
  readonly file: string;
  readonly address: string;
  readonly expectedId: string | null;
  /** What the resource gives where the environment has no AWS scope, if that differs. */
  readonly withoutScope?: string | null;
  /** The address of an earlier resource with the same id. */
  readonly duplicateOf?: string;
  /** Tells a deposed instance from the current one at the same address. */
  readonly deposedKey?: string;
}

export interface StateComparison {
  readonly equal: number;
  readonly extra: number;
  /** Without the name of the file. */
  readonly differences: readonly string[];
}

/** The AWS scope that the expected ids assume. */
const awsScope = "/planes/aws/aws/accounts/999988887777/regions/us-west-2";

/** Compares the ids of one state, resource by resource and as a list, with the rows that are about it. */
export function compareState(state: JsonValue, rows: readonly ExpectedId[]): StateComparison {
  const withScope = idsByResource(state, awsScope);
  const withoutScope = idsByResource(state, undefined);
  const list = resourceIdsOf(state, { awsScope });
  const listed = new Set(list);
  const differences: string[] = [];
  let equal = 0;
  for (const row of rows) {
    const key = keyOf(row);
    const isMissing = row.expectedId !== null && row.duplicateOf === undefined && !listed.has(row.expectedId);
    const found =
      differenceOf(withScope, key, row.expectedId) ??
      (row.withoutScope === undefined
        ? undefined
        : differenceOf(withoutScope, key, row.withoutScope, " without a scope")) ??
      (isMissing ? `the list of the state lacks ${row.expectedId}` : undefined);
    if (found === undefined) {
      equal += 1;
    } else {
      differences.push(`${nameOf(row)}: ${found}`);
    }
  }
  const extra = extraIds(list, expectedList(state, rows));
  differences.push(...extra.map((id) => `extra or out of order: ${id}`));
  return { equal, extra: extra.length, differences };
}

/** @throws TypeError naming the row that is not one. */
export function readRows(document: JsonValue): ExpectedId[] {
  if (!Array.isArray(document)) {
    throw new TypeError("expected.json is not a list of rows.");
  }
  return document.map((row, index) => {
    if (!isJsonObject(row) || !isRow(row)) {
      throw new TypeError(`expected.json: row ${index + 1} needs 'file', 'address' and 'expectedId'.`);
    }
    return row as unknown as ExpectedId;
  });
}

function isRow({ file, address, expectedId }: JsonObject): boolean {
  return (
    typeof file === "string" && typeof address === "string" && (typeof expectedId === "string" || expectedId === null)
  );
}

function idsByResource(state: JsonValue, scope: string | undefined): Map<string, string | null> {
  const resources = identifiedResources(state, { awsScope: scope });
  return new Map(resources.map((resource) => [keyOf(resource), resource.id ?? null]));
}

function differenceOf(
  ids: ReadonlyMap<string, string | null>,
  key: string,
  expected: string | null,
  circumstance = "",
): string | undefined {
  const found = ids.get(key);
  if (found === undefined) {
    return "the state has no such resource";
  }
  return found === expected ? undefined : `gives ${found ?? "none"}${circumstance}, expected ${expected ?? "none"}`;
}

/** The ids that the rows promise, in walk order, whatever the order of the rows. */
function expectedList(state: JsonValue, rows: readonly ExpectedId[]): string[] {
  const root = isJsonObject(state) ? objectMember(objectMember(state, "values"), "root_module") : {};
  const positions = new Map(walk(root).map((key, position) => [key, position]));
  const place = (row: ExpectedId): number => positions.get(keyOf(row)) ?? Number.MAX_SAFE_INTEGER;
  return [...rows]
    .sort((a, b) => place(a) - place(b))
    .flatMap(({ expectedId, duplicateOf }) => (expectedId === null || duplicateOf !== undefined ? [] : expectedId));
}

/** Written apart from the code that is compared. */
function walk(module: JsonObject): string[] {
  const members = (name: string): JsonObject[] => {
    const list = module[name];
    return Array.isArray(list) ? list.filter(isJsonObject) : [];
  };
  const keys = members("resources").map(({ address, deposed_key: deposedKey }) =>
    keyOf({
      address: typeof address === "string" ? address : "",
      ...(typeof deposedKey === "string" && { deposedKey }),
    }),
  );
  return [...keys, ...members("child_modules").flatMap(walk)];
}

/** Ids of the list that are not promised, come again, or come after one that they should precede. */
function extraIds(list: readonly string[], expected: readonly string[]): string[] {
  const extra: string[] = [];
  let next = 0;
  for (const id of list) {
    const position = expected.indexOf(id, next);
    if (position < 0) {
      extra.push(id);
    } else {
      next = position + 1;
    }
  }
  return extra;
}

function keyOf({ address, deposedKey }: { readonly address: string; readonly deposedKey?: string }): string {
  return JSON.stringify([address, deposedKey ?? null]);
}

function nameOf({ address, deposedKey }: ExpectedId): string {
  return deposedKey === undefined ? address : `${address} (deposed ${deposedKey})`;
}
