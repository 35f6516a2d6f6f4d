import type { JsonObject, JsonValue } from "@rad/core";
import type { ParameterInput, PlanScopes } from "@rad/templates";

/** What a deployment is asked to do, read from a request body or from a parent's nested resource. Plain JSON. */
export interface DeploymentInput {
  readonly name: string;
  readonly location: string | undefined;
  readonly tags: JsonObject | undefined;
  readonly template: JsonValue;
  readonly parameters: Readonly<Record<string, ParameterInput>>;
  readonly scopes: PlanScopes;
  /** As sent, for the record that clients read. */
  readonly providerConfig: JsonObject | undefined;
  readonly extensionConfigs: JsonObject | undefined;
  /** JSON pointers into `extensionConfigs`: what a parent made of a secret. */
  readonly extensionSecrets?: readonly string[];
  readonly externalInputs: Readonly<Record<string, JsonValue>> | undefined;
  readonly debugSetting: JsonObject | undefined;
}

/** Where the input of a deployment comes from, for errors that name their place. */
export interface InputOrigin {
  /** JSON path of the template within the outermost one: `$` at the top, `$.resources.mod.properties.template` below. */
  readonly templatePath: string;
}
