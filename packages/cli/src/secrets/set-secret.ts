import type { ResourceBody } from "@rad/client";
import { ClientError } from "@rad/client";
import type { JsonObject } from "@rad/core";
import { objectMember } from "@rad/core/json";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import { namedEnvironment } from "../environments/find-environment.ts";
import { mustFind } from "../families/family-resource.ts";
import { putShown } from "../resources/put-shown.ts";
import { explainMissingGroup } from "../scope.ts";
import { emptySecret, readSecretBytes, textOf } from "./read-secret.ts";
import type { SecretOptions, SecretScope } from "./secret-scope.ts";
import { keysOf, secretId, secretsApiVersion, secretScope, secretType, summaryOf } from "./secret-scope.ts";

export interface SetSecretOptions extends SecretOptions {
  readonly environment?: string;
  readonly kind?: string;
  /** `key=path`. */
  readonly fromFile?: readonly string[];
  readonly replace?: boolean;
}

/** A key, and the file that has its value; without one, somebody is asked. */
interface KeySource {
  readonly key: string;
  readonly file: string | undefined;
}

/** Creates a secret or gives it new values. Values come from files, stdin or a prompt, never from the command line. */
export async function setSecret(
  context: CommandContext,
  name: string,
  keys: readonly string[],
  options: SetSecretOptions,
): Promise<void> {
  const sources = sourcesOf(name, keys, options.fromFile ?? []);
  const scope = await secretScope(context, options);
  const id = await secretId(scope, name);
  const current = await find(scope, id);
  const before = current === undefined ? {} : objectMember(current.resource, "properties");
  refuseLoss(name, keysOf(before), sources, options);
  const belonging = await owners(context, scope, before, options);
  const entries: [string, JsonObject][] = [];
  for (const { key, file } of sources) {
    entries.push([key, await valueOf(context, key, file)]);
  }
  const written = await putShown(
    context,
    scope.client,
    { id, type: secretType, name },
    { location: "global", properties: { ...belonging, data: Object.fromEntries(entries) } },
    { apiVersion: secretsApiVersion, ifMatch: current?.etag },
  );
  const done = current === undefined ? "created" : "updated";
  context.output.done(`${secretType}/${name} ${done}`, { ...summaryOf(written), status: done });
}

/** @throws CliError for what looks like a value on the command line; it is not repeated in the text */
function sourcesOf(name: string, keys: readonly string[], files: readonly string[]): KeySource[] {
  if (keys.some((key) => key.includes("="))) {
    throw new CliError(
      "InvalidUsage",
      `Values are not taken from the command line, where others on this machine can see them. Give the key alone to be asked, or its file: \`rad secret set ${name} --from-file <key>=<path>\`.`,
    );
  }
  const fromFiles = files.map((text): KeySource => {
    const equals = text.indexOf("=");
    const file = text.slice(equals + 1);
    if (equals < 1 || file === "") {
      throw new CliError("InvalidUsage", "`--from-file` needs a key and a file: `--from-file token=token.txt`.");
    }
    return { key: text.slice(0, equals), file };
  });
  const sources = [...keys.map((key): KeySource => ({ key, file: undefined })), ...fromFiles];
  const twice = sources.find(({ key }, index) => sources.findIndex((other) => other.key === key) !== index);
  if (twice !== undefined) {
    throw new CliError("InvalidUsage", `The key "${twice.key}" was given twice.`);
  }
  if (sources.length === 0) {
    throw new CliError("InvalidUsage", `Name the keys to set: \`rad secret set ${name} <key>\`.`);
  }
  if (sources.filter(({ file }) => file === "-").length > 1) {
    throw new CliError("InvalidUsage", "Only one value can be read from stdin.");
  }
  return sources;
}

/** Values cannot be read back, so keys that are not given again would be lost. */
function refuseLoss(
  name: string,
  existing: readonly string[],
  sources: readonly KeySource[],
  { replace }: SetSecretOptions,
): void {
  const lost = existing.filter((key) => !sources.some((source) => source.key === key));
  if (lost.length > 0 && replace !== true) {
    throw new CliError(
      "SecretKeysLost",
      `The secret "${name}" also has the key(s) ${lost.join(", ")}, whose values cannot be read back. Set them as well, or add \`--replace\` to drop them.`,
    );
  }
}

/** Text as it is, other bytes in base64. */
async function valueOf(context: CommandContext, key: string, file: string | undefined): Promise<JsonObject> {
  const what = `key "${key}"`;
  const bytes = await readSecretBytes(context, { what, file, fileFlag: `--from-file ${key}=` });
  const text = textOf(bytes);
  if (text === "") {
    throw emptySecret(what);
  }
  return text === undefined ? { value: bytes.toString("base64"), encoding: "base64" } : { value: text };
}

/**
 * What a secret belongs to, and its kind: as given, else as they are, else the workspace's environment. One of the plane
 * is for all environments.
 */
async function owners(
  context: CommandContext,
  { client, workspace, group }: SecretScope,
  before: JsonObject,
  { environment, kind }: SetSecretOptions,
): Promise<JsonObject> {
  const kept = Object.fromEntries(
    ["environment", "application", "kind", "type"].flatMap((member) =>
      before[member] === undefined ? [] : [[member, before[member]]],
    ),
  );
  const givenKind: JsonObject = kind === undefined ? {} : { kind };
  const isOfThePlane = group === undefined;
  if (environment === undefined && (isOfThePlane || kept["environment"] !== undefined)) {
    return { ...kept, ...givenKind };
  }
  const wanted = await namedEnvironment(context, workspace, environment, group === undefined ? {} : { group });
  const { id } = await mustFind(client, wanted, workspace.name);
  return { ...kept, environment: id, ...givenKind };
}

async function find(
  { client, group }: SecretScope,
  id: string,
): Promise<{ resource: ResourceBody; etag: string | undefined } | undefined> {
  try {
    return await client.resources.getWithEtag(id, { apiVersion: secretsApiVersion });
  } catch (error) {
    const explained = group === undefined ? error : explainMissingGroup(error, group);
    if (explained instanceof ClientError && explained.isNotFound) {
      return undefined;
    }
    throw explained;
  }
}
