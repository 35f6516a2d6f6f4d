import type { JsonObject, JsonValue } from "@rad/core";
import { isJsonObject, objectMember } from "@rad/core/json";
import { carriesCredentials, isReservedVariable, isVariableName } from "@rad/core/terraform";

export type SettingsKind = "terraformSettings" | "bicepSettings";

/** Settings that take over a part of `recipeConfig`. */
export interface PlannedSettings {
  readonly kind: SettingsKind;
  readonly properties: JsonObject;
}

/** A member of `recipeConfig` that settings have no place for. */
export interface NotMoved {
  /** Such as `recipeConfig.envSecrets.TOKEN`. */
  readonly path: string;
  readonly advice: string;
}

export interface Migration {
  /** For each half of `recipeConfig` that the environment still uses. */
  readonly settings: readonly PlannedSettings[];
  readonly notMoved: readonly NotMoved[];
}

/** What is known of a secret that `recipeConfig` names: its type, or that it does not exist. */
export type SecretType = string | undefined;

const logLevels = new Set(["TRACE", "DEBUG", "INFO", "WARN", "ERROR", "OFF", "JSON"]);
const asParameter = "Pass it to the recipe as a parameter { secretId, key }.";
const asParameters = "Give its arguments to the recipe as parameters, its secrets as { secretId, key }.";

/**
 * The settings that stand for `recipeConfig` of an environment. A half that the environment has settings for is done: they
 * win entirely.
 * @param secretTypes of the secrets that `recipeConfig.bicep` names, by lower-cased id
 */
export function planMigration(properties: JsonObject, secretTypes: ReadonlyMap<string, SecretType>): Migration {
  const recipeConfig = objectMember(properties, "recipeConfig");
  const halves = [
    ...(isNamed(properties["terraformSettings"]) ? [] : [terraformHalf(recipeConfig)]),
    ...(isNamed(properties["bicepSettings"]) ? [] : [bicepHalf(recipeConfig, secretTypes)]),
  ].filter((half) => half !== undefined);
  return {
    settings: halves.map(({ settings }) => settings),
    notMoved: halves.flatMap(({ notMoved }) => notMoved),
  };
}

/** The ids of the secrets that registries of `recipeConfig.bicep` name, each once. */
export function registrySecrets(properties: JsonObject): readonly string[] {
  const registries = objectMember(objectMember(objectMember(properties, "recipeConfig"), "bicep"), "authentication");
  const ids = Object.values(registries).map((entry) => textOf(isJsonObject(entry) ? entry["secret"] : undefined));
  return [...new Map(ids.filter((id) => id !== "").map((id) => [id.toLowerCase(), id])).values()];
}

interface Half {
  readonly settings: PlannedSettings;
  readonly notMoved: readonly NotMoved[];
}

function terraformHalf(recipeConfig: JsonObject): Half | undefined {
  const terraform = objectMember(recipeConfig, "terraform");
  const pat = objectMember(objectMember(objectMember(terraform, "authentication"), "git"), "pat");
  const variables = Object.entries(objectMember(recipeConfig, "env"));
  const secrets = Object.keys(objectMember(recipeConfig, "envSecrets"));
  const providers = Object.keys(objectMember(terraform, "providers"));
  if (variables.length + secrets.length + providers.length + Object.keys(pat).length === 0) {
    return undefined;
  }
  const isLevel = ([name, value]: readonly [string, JsonValue]): boolean =>
    name === "TF_LOG" && logLevels.has(textOf(value).toUpperCase());
  const level = variables.find(isLevel)?.[1];
  const env = variables.filter((variable) => !isLevel(variable) && variableProblem(variable[0]) === undefined);
  return {
    settings: {
      kind: "terraformSettings",
      properties: {
        ...(Object.keys(pat).length === 0 ? {} : { authentication: { git: { pat } } }),
        ...(env.length === 0 ? {} : { env: Object.fromEntries(env) }),
        ...(level === undefined ? {} : { logging: { level } }),
      },
    },
    notMoved: [
      ...providers.map((name) => ({ path: `recipeConfig.terraform.providers.${name}`, advice: asParameters })),
      ...variables.flatMap(([name]) => {
        const advice = variableProblem(name);
        return advice === undefined ? [] : [{ path: `recipeConfig.env.${name}`, advice }];
      }),
      ...secrets.map((name) => ({ path: `recipeConfig.envSecrets.${name}`, advice: asParameter })),
    ],
  };
}

/** Settings refuse such variables. */
function variableProblem(name: string): string | undefined {
  if (!isVariableName(name) || isReservedVariable(name)) {
    return "It belongs to the recipe engine, and has no effect.";
  }
  return carriesCredentials(name) ? `It carries a credential. ${asParameter}` : undefined;
}

function bicepHalf(recipeConfig: JsonObject, secretTypes: ReadonlyMap<string, SecretType>): Half | undefined {
  const registries = Object.entries(objectMember(objectMember(recipeConfig, "bicep"), "authentication"));
  if (registries.length === 0) {
    return undefined;
  }
  const moved: JsonObject = {};
  const notMoved: NotMoved[] = [];
  for (const [host, entry] of registries) {
    const secretId = textOf(isJsonObject(entry) ? entry["secret"] : undefined);
    const type = secretTypes.get(secretId.toLowerCase());
    if (type === "basicAuthentication" || type === "generic") {
      moved[host] = { authenticationMethod: "BasicAuth", basicAuthSecretId: secretId };
    } else {
      notMoved.push({ path: `recipeConfig.bicep.authentication.${host}`, advice: registryAdvice(secretId, type) });
    }
  }
  const properties: JsonObject = Object.keys(moved).length === 0 ? {} : { registryAuthentications: moved };
  return { settings: { kind: "bicepSettings", properties }, notMoved };
}

/** Settings have ids of identities in clear, and no command takes values out of a secret for that. */
function registryAdvice(secretId: string, type: SecretType): string {
  switch (type) {
    case "azureWorkloadIdentity":
      return "Add azureWorkloadIdentity { clientId, tenantId } for the host to the bicepSettings.";
    case "awsIRSA":
      return "Add awsIrsa { roleArn } for the host to the bicepSettings.";
    case undefined:
      return `The secret '${secretId}' does not exist, or you may not read it.`;
    default:
      return `The secret '${secretId}' has the type ${type}, which is no login.`;
  }
}

function isNamed(reference: JsonValue | undefined): boolean {
  return textOf(reference) !== "";
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}
