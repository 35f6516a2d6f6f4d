import type { JsonObject } from "@rad/core";
import { isJsonObject } from "@rad/core/json";
import { parseDocument } from "yaml";
import { CliError } from "../cli-error.ts";
import type { CliHost } from "../host.ts";
import { readInput } from "../read-input.ts";

/** What `rad resource show -o json` prints, so that its output can be edited and sent back. */
const known = ["id", "name", "type", "location", "tags", "properties", "systemData"];

/** A resource in JSON or YAML. Keys that occur twice or mean nothing are an error rather than a surprise. */
export async function readResourceBody(host: CliHost, file: string): Promise<JsonObject> {
  return checkMembers(await readObject(host, file), file);
}

/** The same, or a file with nothing but members of `properties`, told apart by the one that all of them have. */
export async function readBodyOrProperties(host: CliHost, file: string, member: string): Promise<JsonObject> {
  const value = await readObject(host, file);
  return value[member] === undefined ? checkMembers(value, file) : { properties: value };
}

function checkMembers(value: JsonObject, file: string): JsonObject {
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  if (unknown !== undefined) {
    const keys = known.join(", ");
    throw new CliError(
      "InvalidRequestContent",
      `${placeOf(file)} has an unknown key "${unknown}"; a resource has: ${keys}.`,
    );
  }
  return value;
}

async function readObject(host: CliHost, file: string): Promise<JsonObject> {
  const text = await readInput(host, file);
  const where = placeOf(file);
  // JSON is YAML, apart from tabs, which YAML dislikes in places and JSON does not care about.
  const document = parseDocument(text.trimStart().startsWith("{") ? text.replaceAll("\t", " ") : text, {
    prettyErrors: true,
    stringKeys: true,
  });
  const [problem] = document.errors;
  if (problem !== undefined) {
    const line = (problem.message.split("\n")[0] ?? "").replace(/:$/, "");
    throw new CliError("InvalidRequestContent", `${where} is neither JSON nor YAML: ${line}.`);
  }
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    throw new CliError("InvalidRequestContent", `${where} cannot be read as a resource.`, { cause: error });
  }
  if (!isJsonObject(value)) {
    throw new CliError("InvalidRequestContent", `${where} does not hold a resource: an object was expected.`);
  }
  return value;
}

function placeOf(file: string): string {
  return file === "-" ? "stdin" : file;
}
