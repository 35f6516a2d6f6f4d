import { fileURLToPath } from "node:url";
import { isJsonObject, objectMember } from "@rad/core";
import type { JsonObject, JsonValue } from "@rad/core";
import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import { readObject } from "./documents.ts";
import type { ApiOperation } from "./documents.ts";

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Absent when nothing came. */
  readonly body: JsonValue | undefined;
}

/** Checks answers against the response schemas of Swagger 2.0 documents and of what they refer to. */
export class ResponseValidator {
  readonly #ajv: Ajv;
  readonly #documents: ReadonlyMap<string, JsonObject>;

  private constructor(ajv: Ajv, documents: ReadonlyMap<string, JsonObject>) {
    this.#ajv = ajv;
    this.#documents = documents;
  }

  static async load(urls: Iterable<string>): Promise<ResponseValidator> {
    const documents = new Map<string, JsonObject>();
    for (const url of urls) {
      await loadWithReferences(url, documents);
    }
    // Swagger's own keywords (x-ms-…, readOnly, discriminator) are no JSON Schema, hence not strict.
    const ajv = new Ajv({ strict: false, validateSchema: false, allErrors: true, logger: false });
    addFormats.default(ajv);
    for (const [url, document] of documents) {
      ajv.addSchema(document, url);
    }
    return new ResponseValidator(ajv, documents);
  }

  /** What is wrong with the answer, one line each. `shown` are the header names that the example carries. */
  problems(url: string, operation: ApiOperation, answer: Answer, shown: readonly string[]): readonly string[] {
    const declared = this.#response(url, operation, answer.status);
    if (declared === undefined) {
      return [`status ${answer.status} is not in the document`];
    }
    const pointer = ["paths", operation.template, operation.method, "responses", String(answer.status)];
    const problems = shown.flatMap((name) => (answer.headers.has(name) ? [] : [`header ${name} is missing`]));
    for (const name of Object.keys(objectMember(declared, "headers"))) {
      const value = answer.headers.get(name);
      if (value !== null) {
        problems.push(...this.#check(url, [...pointer, "headers", name], headerValue(value), `header ${name}`));
      }
    }
    if (declared["schema"] === undefined) {
      return answer.body === undefined ? problems : [...problems, "there is a body where the document has none"];
    }
    if (answer.body === undefined) {
      return [...problems, "the body is missing"];
    }
    return [...problems, ...this.#check(url, [...pointer, "schema"], answer.body, "body")];
  }

  #response(url: string, operation: ApiOperation, status: number): JsonObject | undefined {
    const paths = objectMember(this.#documents.get(url) ?? {}, "paths");
    const method = objectMember(objectMember(paths, operation.template), operation.method);
    const response = objectMember(method, "responses")[String(status)];
    return isJsonObject(response) ? response : undefined;
  }

  #check(url: string, pointer: readonly string[], value: JsonValue, what: string): readonly string[] {
    const fragment = pointer.map((name) => encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1")));
    const validate = this.#ajv.compile({ $ref: `${url}#/${fragment.join("/")}` });
    if (validate(value)) {
      return [];
    }
    return (validate.errors ?? []).map((error) => `${what}${error.instancePath} ${error.message ?? "is wrong"}`);
  }
}

async function loadWithReferences(url: string, documents: Map<string, JsonObject>): Promise<void> {
  if (documents.has(url)) {
    return;
  }
  const document = await readObject(fileURLToPath(url));
  documents.set(url, document);
  for (const reference of references(objectMember(document, "definitions"))) {
    await loadWithReferences(new URL(reference, url).href.replace(/#.*$/, ""), documents);
  }
  for (const reference of references(objectMember(document, "paths"))) {
    const target = new URL(reference, url).href.replace(/#.*$/, "");
    if (!target.includes("/examples/")) {
      await loadWithReferences(target, documents);
    }
  }
  applyDiscriminators(objectMember(document, "definitions"));
}

function references(value: JsonValue): readonly string[] {
  if (Array.isArray(value)) {
    return value.flatMap(references);
  }
  if (!isJsonObject(value)) {
    return [];
  }
  const own = typeof value["$ref"] === "string" ? [value["$ref"]] : [];
  return [...own, ...Object.values(value).flatMap(references)];
}

/** Lets a base type ask for the members of the variant that its discriminator names. */
function applyDiscriminators(definitions: JsonObject): void {
  for (const [name, base] of Object.entries(definitions)) {
    if (!isJsonObject(base) || typeof base["discriminator"] !== "string") {
      continue;
    }
    const property = base["discriminator"];
    const isBase = (part: JsonValue): boolean => isJsonObject(part) && part["$ref"] === `#/definitions/${name}`;
    const cases: JsonObject[] = [];
    for (const [variantName, variant] of Object.entries(definitions)) {
      if (isJsonObject(variant) && Array.isArray(variant["allOf"]) && variant["allOf"].some(isBase)) {
        const value = variant["x-ms-discriminator-value"] ?? variantName;
        const others = variant["allOf"].filter((part) => !isBase(part));
        const own = { ...variant, allOf: others.length > 0 ? others : [{}] };
        const isVariant = { properties: { [property]: { const: value } }, required: [property] };
        cases.push({ anyOf: [{ not: isVariant }, own] });
      }
    }
    if (cases.length > 0) {
      base["allOf"] = [...(Array.isArray(base["allOf"]) ? base["allOf"] : []), ...cases];
    }
  }
}

/** Headers are text on the wire; a declared number is compared as one. */
function headerValue(text: string): JsonValue {
  return /^-?\d+$/.test(text) ? Number(text) : text;
}
