import { isJsonObject } from "@rad/core";
import type { JsonObject, JsonValue } from "@rad/core";
import { formatPath } from "@rad/core";
import type { PathSegment } from "@rad/core";
import { checkName } from "../names.ts";
import type { NameKind } from "../names.ts";
import { withBaseProperties } from "./base-properties.ts";
import { defaultLocation } from "./manifest.ts";
import type { Manifest, ManifestApiVersion, ManifestLocation, ManifestType } from "./manifest.ts";
import { ManifestError } from "./manifest-error.ts";
import type { ManifestProblem } from "./manifest-error.ts";
import { checkSchemaRules } from "./schema-rules.ts";
import type { Report } from "./schema-rules.ts";
import { readYaml } from "./yaml-source.ts";

/** Nobody reads more, and finding the place of each takes a while in a large file. */
const maxProblems = 100;

/**
 * Reads a manifest from YAML or JSON. `fileName` is only for messages.
 *
 * @throws ManifestError (`InvalidManifest`) with every problem that was found, each with its line and column.
 */
export function parseManifest(text: string, fileName: string): Manifest {
  const source = readYaml(text);
  const problems: ManifestProblem[] = source.problems.map(({ path, ...problem }) => ({
    file: fileName,
    path: formatPath(path),
    ...problem,
  }));
  const report: Report = (path, message) => {
    if (problems.length === maxProblems) {
      return;
    }
    problems.push({ file: fileName, path: formatPath(path), ...source.locate(path), message });
  };
  // A text that could not be read has nothing more to tell.
  const manifest = problems.length === 0 ? readManifest(source.value, report) : undefined;
  if (manifest === undefined || problems.length > 0) {
    throw new ManifestError(problems);
  }
  return manifest;
}

function readManifest(value: JsonValue, report: Report): Manifest | undefined {
  const manifest = new Fields(value, [], report);
  if (!manifest.isObject) {
    report([], value === null ? "The manifest is empty." : "A manifest is an object.");
    return undefined;
  }
  manifest.refuseUnknown(["namespace", "location", "types"]);
  const namespace = manifest.text("namespace");
  if (manifest.member("namespace") === undefined) {
    manifest.complain("namespace", "is required.");
  }
  if (namespace !== undefined) {
    checkManifestName(namespace, "providerNamespace", namespacePattern, (message) =>
      manifest.complain("namespace", message),
    );
  }
  return { namespace: namespace ?? "", location: readLocation(manifest), types: readTypes(manifest) };
}

/** The API lets names start with either case; manifests are held to the casing that the product uses. */
const namespacePattern = /^[A-Z][A-Za-z0-9]+\.[A-Z][A-Za-z0-9]+$/;
const typePattern = /^[a-z][A-Za-z0-9]+$/;

function readLocation(manifest: Fields): ManifestLocation {
  const locations = manifest.entries("location").map(([name, address, path]): ManifestLocation => {
    const problem = checkName("location", name);
    if (problem !== undefined) {
      manifest.report(path, problem);
    }
    if (address === null || address === "") {
      return { name };
    }
    if (typeof address !== "string" || !/^https?:\/\//i.test(address) || !URL.canParse(address)) {
      manifest.report(path, "must be an http or https address.");
      return { name };
    }
    return { name, address };
  });
  // Upstream uses one location and does not mind others.
  return locations[0] ?? defaultLocation;
}

function readTypes(manifest: Fields): ManifestType[] {
  const types = manifest.entries("types");
  if (types.length === 0) {
    manifest.complain("types", "must hold at least one type.");
  }
  return types.map(([name, value, path]) => {
    checkManifestName(name, "resourceType", typePattern, (message) => manifest.report(path, message));
    return readType(name, new Fields(value, path, manifest.report));
  });
}

function readType(name: string, type: Fields): ManifestType {
  type.requireObject();
  type.refuseUnknown(["apiVersions", "capabilities", "defaultApiVersion", "description"]);
  const description = type.text("description");
  const defaultApiVersion = type.text("defaultApiVersion");
  const problem = defaultApiVersion === undefined ? undefined : checkName("apiVersion", defaultApiVersion);
  if (problem !== undefined) {
    type.complain("defaultApiVersion", problem);
  }
  return {
    name,
    ...(description === undefined ? {} : { description }),
    capabilities: readCapabilities(type),
    ...(defaultApiVersion === undefined ? {} : { defaultApiVersion }),
    apiVersions: readApiVersions(type),
  };
}

function readCapabilities(type: Fields): string[] {
  return type.list("capabilities").flatMap(([value, path]) => {
    const problem = typeof value === "string" ? checkName("capability", value) : "must be a string.";
    if (problem !== undefined) {
      type.report(path, problem);
    }
    return typeof value === "string" ? [value] : [];
  });
}

function readApiVersions(type: Fields): ManifestApiVersion[] {
  const versions = type.entries("apiVersions");
  if (type.isObject && versions.length === 0) {
    type.complain("apiVersions", "must hold at least one API version.");
  }
  return versions.map(([name, value, path]) => {
    const problem = checkName("apiVersion", name);
    if (problem !== undefined) {
      type.report(path, problem);
    }
    const version = new Fields(value, path, type.report);
    version.requireObject();
    version.refuseUnknown(["schema"]);
    return { name, schema: readSchema(version) };
  });
}

function readSchema(version: Fields): JsonObject {
  const schema = version.member("schema");
  if (!isJsonObject(schema)) {
    if (version.isObject) {
      version.complain("schema", schema === undefined ? "is required; '{}' accepts anything." : "must be an object.");
    }
    return {};
  }
  const complete = withBaseProperties(schema);
  checkSchemaRules(complete, (path, message) => version.report([...version.path, "schema", ...path], message));
  return complete;
}

function checkManifestName(name: string, kind: NameKind, pattern: RegExp, complain: (message: string) => void): void {
  const problem = checkName(kind, name);
  if (problem !== undefined) {
    complain(problem);
  } else if (!pattern.test(name)) {
    complain(`${JSON.stringify(name)} must match ${pattern.source}`);
  }
}

/** Reads the members of an object that may be anything, reporting what has the wrong type at its place. */
class Fields {
  readonly path: readonly PathSegment[];
  readonly report: Report;
  readonly isObject: boolean;
  readonly #object: JsonObject;

  constructor(value: JsonValue, path: readonly PathSegment[], report: Report) {
    this.path = path;
    this.report = report;
    this.isObject = isJsonObject(value);
    this.#object = isJsonObject(value) ? value : {};
  }

  complain(name: string, message: string): void {
    this.report([...this.path, name], message);
  }

  requireObject(): void {
    if (!this.isObject) {
      this.report(this.path, "must be an object.");
    }
  }

  refuseUnknown(known: readonly string[]): void {
    for (const name of Object.keys(this.#object)) {
      if (!known.includes(name)) {
        this.complain(name, `is not known here; there are ${known.join(", ")}.`);
      }
    }
  }

  member(name: string): JsonValue | undefined {
    return Object.hasOwn(this.#object, name) ? this.#object[name] : undefined;
  }

  text(name: string): string | undefined {
    const value = this.member(name);
    if (value !== undefined && typeof value !== "string") {
      this.complain(name, "must be a string.");
      return undefined;
    }
    return value;
  }

  list(name: string): [JsonValue, readonly PathSegment[]][] {
    const value = this.member(name) ?? [];
    if (!Array.isArray(value)) {
      this.complain(name, "must be a list.");
      return [];
    }
    return value.map((item, index) => [item, [...this.path, name, index]]);
  }

  entries(name: string): [string, JsonValue, readonly PathSegment[]][] {
    const value = this.member(name) ?? {};
    if (!isJsonObject(value)) {
      this.complain(name, "must be an object.");
      return [];
    }
    return Object.entries(value).map(([key, member]) => [key, member, [...this.path, name, key]]);
  }
}
