import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { isJsonObject, objectMember } from "@rad/core";
import type { JsonObject, JsonValue } from "@rad/core";

/** A Swagger 2.0 document with the examples that lie in the `examples` folder beside it. */
export interface ApiDocument {
  readonly file: string;
  /** The document's `file:` URL, the base of its relative references. */
  readonly url: string;
  readonly operations: readonly ApiOperation[];
  readonly examples: readonly Example[];
}

export interface ApiOperation {
  readonly id: string;
  /** In lower case, as the document spells it. */
  readonly method: string;
  readonly template: string;
  /** Parts of the path that have slashes of their own, such as the scope of a resource. */
  readonly unencodedNames: readonly string[];
  readonly queryNames: readonly string[];
  readonly bodyName: string | undefined;
  /** Names of the files that the document itself gives as examples. */
  readonly exampleFiles: readonly string[];
}

export interface Example {
  readonly name: string;
  readonly operationId: string | undefined;
  readonly parameters: JsonObject;
  /** By status. */
  readonly responses: JsonObject;
}

export async function readDocuments(folder: string): Promise<readonly ApiDocument[]> {
  const documents: ApiDocument[] = [];
  for (const file of globSync("**/*.json", { cwd: folder }).sort()) {
    if (path.basename(path.dirname(file)) !== "examples") {
      const content = await readObject(path.join(folder, file));
      if (content["swagger"] === "2.0") {
        documents.push(await readDocument(path.resolve(folder, file), content));
      }
    }
  }
  return documents;
}

export async function readObject(file: string): Promise<JsonObject> {
  const value: unknown = JSON.parse(await readFile(file, "utf8"));
  if (!isJsonObject(value)) {
    throw new Error(`${file} does not hold a JSON object`);
  }
  return value;
}

async function readDocument(file: string, content: JsonObject): Promise<ApiDocument> {
  const operations: ApiOperation[] = [];
  for (const [template, methods] of Object.entries(objectMember(content, "paths"))) {
    for (const [method, operation] of Object.entries(isJsonObject(methods) ? methods : {})) {
      if (isJsonObject(operation) && typeof operation["operationId"] === "string") {
        operations.push(await readOperation(file, template, method, operation, operation["operationId"]));
      }
    }
  }
  const folder = path.join(path.dirname(file), "examples");
  const examples: Example[] = [];
  for (const name of globSync("*.json", { cwd: folder }).sort()) {
    const example = await readObject(path.join(folder, name));
    examples.push({
      name: path.basename(name, ".json"),
      operationId: text(example["operationId"]),
      parameters: objectMember(example, "parameters"),
      responses: objectMember(example, "responses"),
    });
  }
  return { file, url: pathToFileURL(file).href, operations, examples };
}

async function readOperation(
  file: string,
  template: string,
  method: string,
  operation: JsonObject,
  id: string,
): Promise<ApiOperation> {
  const parameters: JsonObject[] = [];
  for (const parameter of Array.isArray(operation["parameters"]) ? operation["parameters"] : []) {
    if (isJsonObject(parameter)) {
      parameters.push(await dereference(file, parameter));
    }
  }
  const namesIn = (place: string): string[] =>
    parameters.filter((parameter) => parameter["in"] === place).flatMap((parameter) => text(parameter["name"]) ?? []);
  return {
    id,
    method,
    template,
    unencodedNames: parameters
      .filter((parameter) => parameter["x-ms-skip-url-encoding"] === true)
      .flatMap((parameter) => text(parameter["name"]) ?? []),
    queryNames: namesIn("query"),
    bodyName: namesIn("body")[0],
    exampleFiles: Object.values(objectMember(operation, "x-ms-examples"))
      .flatMap((example) => (isJsonObject(example) ? (text(example["$ref"]) ?? []) : []))
      .map((reference) => path.basename(reference, ".json")),
  };
}

/** What a `$ref` names, in this file or in one relative to it. */
async function dereference(file: string, value: JsonObject): Promise<JsonObject> {
  const reference = text(value["$ref"]);
  if (reference === undefined) {
    return value;
  }
  const [target = "", pointer = ""] = reference.split("#");
  const place = target === "" ? file : path.resolve(path.dirname(file), target);
  let found: JsonValue | undefined = await readObject(place);
  for (const name of pointer.split("/").slice(1)) {
    found = isJsonObject(found) ? found[name.replaceAll("~1", "/").replaceAll("~0", "~")] : undefined;
  }
  if (!isJsonObject(found)) {
    throw new Error(`${file} refers to ${reference}, which does not exist`);
  }
  return dereference(place, found);
}

function text(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}
