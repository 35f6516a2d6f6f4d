import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import type { JsonObject } from "@rad/core";
import { compile } from "./compile.ts";

/**
 * One folder of `cases/`: a Bicep file that is deployed, with what it needs and what has to come of it.
 *
 * - `main.bicep`, `main.2.bicep`: deployed one after the other, under the same name;
 * - `parameters.json`: values by name, for both;
 * - `before.bicep`: deployed first, for cases that find something already there;
 * - `case.json`: how the case differs from others (`CaseOptions`);
 * - `expected.json`: what both come to (`Outcome`), by file.
 */
export interface DeployCase {
  readonly name: string;
  readonly before: JsonObject | undefined;
  readonly versions: readonly { readonly file: string; readonly template: JsonObject }[];
  readonly parameters: JsonObject;
  readonly options: CaseOptions;
  readonly expectedFile: string;
}

export interface CaseOptions {
  /** Every deployment changes something, because the template asks for the time or for a new id. */
  readonly neverSettles?: boolean;
  /** Resources get what a method answers, and what-if calls none: who knows what it does. */
  readonly callsMethods?: boolean;
  /** The compiler would refuse it with the registered types; here the control plane is to judge. */
  readonly unchecked?: boolean;
}

const folder = path.join(import.meta.dirname, "cases");

export async function caseNames(): Promise<readonly string[]> {
  return (await readdir(folder)).sort();
}

export async function readCase(name: string): Promise<DeployCase> {
  const files = await readdir(path.join(folder, name));
  const at = (file: string): string => path.join(folder, name, file);
  const readJson = async (file: string): Promise<JsonObject> =>
    files.includes(file) ? (JSON.parse(await readFile(at(file), "utf8")) as JsonObject) : {};
  const versions: DeployCase["versions"][number][] = [];
  for (const file of ["main.bicep", "main.2.bicep"].filter((candidate) => files.includes(candidate))) {
    versions.push({ file, template: await compile(at(file)) });
  }
  return {
    name,
    before: files.includes("before.bicep") ? await compile(at("before.bicep")) : undefined,
    versions,
    parameters: await readJson("parameters.json"),
    options: await readJson("case.json"),
    expectedFile: at("expected.json"),
  };
}
