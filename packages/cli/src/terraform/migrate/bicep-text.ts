import type { JsonObject, JsonValue } from "@rad/core";
import { printableLine } from "../../output/printable.ts";
import { keyText, stringText, valueText } from "./bicep-literal.ts";

/** A resource of a Bicep file. */
export interface BicepResource {
  /** What other resources call it by. */
  readonly symbol: string;
  /** With its api-version: `Radius.Core/terraformSettings@2025-08-01-preview`. */
  readonly type: string;
  readonly name: string;
  readonly location?: JsonValue | undefined;
  readonly tags?: JsonValue | undefined;
  readonly properties: JsonObject;
}

/** Members of `properties` whose values are symbols of the file: member to expression. */
export type References = Readonly<Record<string, string>>;

/**
 * A file that deploys the resources. Values that the control plane does not show, which are `null`, become secure
 * parameters.
 */
export function bicepText(
  comments: readonly string[],
  resources: readonly { readonly resource: BicepResource; readonly references?: References }[],
): string {
  const parameters: string[] = [];
  const hidden = (path: string): string => {
    const name = uniqueName(path, parameters);
    parameters.push(name);
    return name;
  };
  const blocks = resources.map(({ resource, references = {} }) => resourceText(resource, references, hidden));
  return [
    comments.map((line) => `// ${printableLine(line)}\n`).join(""),
    "extension radius\n",
    ...parameters.map((name) => `@secure()\nparam ${name} string\n`),
    ...blocks,
  ]
    .filter((block) => block !== "")
    .join("\n");
}

function resourceText(
  { symbol, type, name, location, tags, properties }: BicepResource,
  references: References,
  hidden: (path: string) => string,
): string {
  const plain = Object.entries(properties).filter(([member]) => !Object.hasOwn(references, member));
  const members = [
    ...plain.map(
      ([member, value]) => `    ${keyText(member)}: ${valueText(value, { indent: "    ", path: member, hidden })}\n`,
    ),
    ...Object.entries(references).map(([member, expression]) => `    ${keyText(member)}: ${expression}\n`),
  ];
  const envelope = Object.entries({ location, tags }).flatMap(([member, value]) =>
    value === undefined ? [] : [`  ${member}: ${valueText(value, { indent: "  ", path: member, hidden })}\n`],
  );
  const body = members.length === 0 ? "{}" : `{\n${members.join("")}  }`;
  return `resource ${symbol} ${stringText(type)} = {\n  name: ${stringText(name)}\n${envelope.join("")}  properties: ${body}\n}\n`;
}

/** `recipesTypeDefaultParametersPassword` of the path to a member. */
function uniqueName(path: string, taken: readonly string[]): string {
  const words = path.split(/[^A-Za-z0-9]+/u).filter((word) => word !== "");
  const base = words.map((word, index) => (index === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1))).join("");
  let name = base;
  for (let count = 2; taken.includes(name); count += 1) {
    name = `${base}${count}`;
  }
  return name;
}
