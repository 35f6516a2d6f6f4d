import {
  deploymentType,
  type PropertyChange,
  type WhatIf,
  type WhatIfChange,
  type WhatIfDiagnostic,
} from "@rad/client";
import { isJsonObject, type JsonValue } from "@rad/core";
import type { Colors } from "../output/colors.ts";
import { printableLine } from "../output/printable.ts";
import { describeId } from "../progress/progress-item.ts";
import { recipeLines, recipeSummary } from "./recipe-lines.ts";

const maxValueLength = 120;

/** In the order in which they are summed up; what else there is comes last. */
const changeTypes = ["Create", "Modify", "Delete", "NoChange", "Ignore", "Unsupported"];

interface Look {
  readonly symbol: string;
  /** What the summary calls it. */
  readonly counted: string;
  readonly paint: (text: string) => string;
}

/** What a deployment would change, resource by resource, grouped by scope, with a line that sums it up. */
export function whatIfText(whatIf: WhatIf, colors: Colors): string {
  const changes = [
    ...whatIf.changes.map((change) => ({ ...change, isCertain: true })),
    ...whatIf.potentialChanges.map((change) => ({ ...change, isCertain: false })),
  ];
  const scopes = Map.groupBy(changes, (change) => scopeOf(change.resourceId));
  const sections = [...scopes].map(([scope, members]) => {
    const lines = members.flatMap((change) => changeLines(change, colors));
    return `${colors.dim(`Scope: ${printableLine(scope)}`)}\n\n${lines.map((line) => `  ${line}`).join("\n")}\n`;
  });
  const told = new Set(changes.flatMap(({ recipe }) => recipe?.plan?.error?.message ?? []));
  const untold = whatIf.diagnostics.filter(({ message }) => !told.has(message));
  const remarks = untold.map((diagnostic) => {
    const { level, code, message, target } = diagnostic;
    const paint = isFailure(diagnostic) ? colors.red : colors.yellow;
    return paint(printableLine(`${level} ${code}${aboutText(target)}: ${message}`));
  });
  const recipes = recipeSummary(changes);
  const sums = `${summary(changes, colors)}${recipes ?? ""}`;
  return [...sections, ...(remarks.length === 0 ? [] : [`${remarks.join("\n")}\n`]), sums].join("\n");
}

interface ShownChange extends WhatIfChange {
  /** Otherwise it depends on what only the deployment will show. */
  readonly isCertain: boolean;
}

/** Whether the deployment would fail over it. */
export function isFailure({ level }: WhatIfDiagnostic): boolean {
  return level.toLowerCase() === "error";
}

/** The resource that a remark is about; the deployment as a whole goes without saying. */
function aboutText(target: string | undefined): string {
  if (target === undefined) {
    return "";
  }
  const { type, name } = describeId(target);
  return type.toLowerCase() === deploymentType.toLowerCase() ? "" : ` (${type}/${name})`;
}

function summary(changes: readonly ShownChange[], colors: Colors): string {
  const perhaps = (what: string): string => `perhaps ${what}`;
  const counts = Map.groupBy(changes, ({ changeType, isCertain }) => {
    const { counted } = lookOf(changeType, colors);
    return isCertain ? counted : perhaps(counted);
  });
  const certain = [...new Set([...changeTypes, ""].map((type) => lookOf(type, colors).counted))];
  const order = [...certain, ...certain.map(perhaps)];
  const parts = order.flatMap((what) => (counts.has(what) ? `${counts.get(what)?.length} ${what}` : []));
  return `Resource changes: ${parts.length === 0 ? "none" : parts.join(", ")}.\n`;
}

function changeLines(change: ShownChange, colors: Colors): string[] {
  const { symbol, paint } = lookOf(change.changeType, colors);
  const { type, name } = describeId(change.resourceId);
  const remarks = [change.isCertain ? undefined : "perhaps", change.unsupportedReason].filter(
    (text) => text !== undefined,
  );
  const reason = remarks.length === 0 ? "" : ` (${printableLine(remarks.join(": "))})`;
  const heading = paint(`${symbol} ${printableLine(`${type}/${name}`)}${reason}`);
  return [
    heading,
    ...detailLines(change, colors).map(indented),
    ...nestedLines(change, colors).map(indented),
    ...recipeLines(change, colors).map(indented),
  ];
}

function detailLines(change: WhatIfChange, colors: Colors): string[] {
  switch (change.changeType) {
    case "Create":
      return createdLines(change).map((line) => colors.green(line));
    case "Modify":
    case "Deploy":
      return change.delta.flatMap((property) => propertyLines(property, "", colors));
    default:
      return [];
  }
}

/** Objects that are made of the resource. Of new ones the name says enough: they follow from the resource. */
function nestedLines({ nestedChanges }: WhatIfChange, colors: Colors): string[] {
  return nestedChanges.flatMap((change) => {
    const { symbol, paint } = lookOf(change.changeType, colors);
    const { type, name } = describeId(change.resourceId);
    const [, namespace] = /\/namespaces\/([^/]+)\//i.exec(change.resourceId) ?? [];
    const place = namespace === undefined ? "" : ` in ${namespace}`;
    const heading = paint(`${symbol} ${printableLine(`${type}/${name}${place}`)}`);
    const details = change.changeType === "Create" ? [] : detailLines(change, colors);
    return [heading, ...details.map(indented)];
  });
}

function indented(line: string): string {
  return `    ${line}`;
}

/** The tags and properties of what is new, in the form of what changes: `+ properties.size: 3`. */
function createdLines({ after, delta }: WhatIfChange): string[] {
  const secrets = new Set(delta.filter(isSecret).map(({ path }) => path));
  const { tags = null, properties = null } = isJsonObject(after) ? after : {};
  return Object.entries({ tags, properties })
    .flatMap(([name, value]) => (isEmpty(value) ? [] : leaves(value, name)))
    .map(({ path, value }) => `+ ${printableLine(path)}: ${secrets.has(path) ? secret : valueText(value)}`);
}

interface Leaf {
  readonly path: string;
  readonly value: JsonValue;
}

/** Everything that is not made of other values; below an array paths have the position. */
function leaves(value: JsonValue, path: string): Leaf[] {
  if (value === null || typeof value !== "object" || isEmpty(value)) {
    return [{ path, value }];
  }
  return Object.entries(value).flatMap(([name, child]) => leaves(child, `${path}.${name}`));
}

function isEmpty(value: JsonValue): boolean {
  return value === null || (typeof value === "object" && Object.keys(value).length === 0);
}

const secret = "(secret)";

/** The control plane shows no secret, but says that one changes: only then both sides are null. */
function isSecret({ before, after }: PropertyChange): boolean {
  return before === null && after === null;
}

function propertyLines(change: PropertyChange, parent: string, colors: Colors): string[] {
  const path = parent === "" ? change.path : `${parent}.${change.path}`;
  if (change.children.length > 0) {
    return change.children.flatMap((child) => propertyLines(child, path, colors));
  }
  const shown = printableLine(path);
  const [before, after] = isSecret(change) ? [secret, secret] : [valueText(change.before), valueText(change.after)];
  switch (change.changeType) {
    case "Create":
      return [colors.green(`+ ${shown}: ${after}`)];
    case "Delete":
      return [colors.red(`- ${shown}: ${before}`)];
    case "NoEffect":
      return [colors.dim(`= ${shown}`)];
    default:
      return [colors.yellow(`~ ${shown}: ${before} => ${isSecret(change) ? "(secret, changed)" : after}`)];
  }
}

/** On one line; a value that is kept back shows as such. */
function valueText(value: JsonValue | undefined): string {
  if (value === undefined) {
    return "(not shown)";
  }
  const text = printableLine(JSON.stringify(value));
  return text.length > maxValueLength ? `${text.slice(0, maxValueLength)}…` : text;
}

function lookOf(changeType: string, colors: Colors): Look {
  switch (changeType) {
    case "Create":
      return { symbol: "+", counted: "to create", paint: colors.green };
    case "Modify":
      return { symbol: "~", counted: "to change", paint: colors.yellow };
    case "Delete":
      return { symbol: "-", counted: "to delete", paint: colors.red };
    case "NoChange":
    case "NoEffect":
      return { symbol: "=", counted: "without change", paint: colors.dim };
    case "Ignore":
      return { symbol: "*", counted: "to ignore", paint: colors.dim };
    case "Unsupported":
      return { symbol: "x", counted: "unsupported", paint: colors.magenta };
    default:
      return { symbol: "!", counted: "to deploy", paint: colors.cyan };
  }
}

function scopeOf(id: string): string {
  const end = id.toLowerCase().lastIndexOf("/providers/");
  return end < 0 ? id : id.slice(0, end);
}
