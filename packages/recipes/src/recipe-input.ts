import type { JsonObject } from "@rad/core";
import { type LoadedSecret, type RecipeDefinition, recipePackIds, type ScopeResource } from "@rad/radius-types";
import type { HandlerContext, ResourceAccess } from "@rad/resources";
import type { EnvironmentConfiguration } from "./configuration/environment-configuration.ts";
import { connectedResources } from "./context/connected-resources.ts";
import { recipeContext } from "./context/recipe-context.ts";
import type { RecipeInput } from "./driver.ts";
import { mergeParameters } from "./parameters/merge-parameters.ts";
import { sensitivePointers } from "./parameters/sensitive-pointers.ts";
import type { RecipeRecord } from "./records/recipe-record.ts";

/** For whom a recipe runs, or would run. */
export type InputContext = Pick<HandlerContext, "id" | "secrets" | "requester" | "signal" | "log"> & {
  readonly resources: ResourceAccess;
};

/** What the resource consists of and belongs to; its properties are whole. */
export interface InputUse {
  readonly properties: JsonObject;
  readonly environment: ScopeResource;
  readonly application: ScopeResource | undefined;
}

export interface InputOptions {
  readonly kind: "execute" | "delete";
  readonly runId: string;
  readonly definition: RecipeDefinition;
  readonly configuration: EnvironmentConfiguration;
  readonly recorded: RecipeRecord | undefined;
  readSecret(secretId: string): Promise<LoadedSecret>;
}

/** Puts together what a recipe is given, the same for a run and for a look at what it would do. */
export async function recipeInput(context: InputContext, use: InputUse, how: InputOptions): Promise<RecipeInput> {
  const { kind, runId, definition, configuration, recorded } = how;
  const { resources, requester, signal, log, id } = context;
  const { properties, environment, application } = use;
  const connections = await connectedResources(
    properties,
    kind === "execute" ? resources.asRequester : resources.asServer,
    { whenMissing: kind === "execute" ? "fail" : "leaveOut" },
  );
  const sealed = {
    ofResource: await context.secrets(),
    ofEnvironment: await resources.asServer.secrets(environment.id.toString()),
    ofPacks: await Promise.all(
      recipePackIds(environment.id, environment.properties).map((pack) => resources.asServer.secrets(pack)),
    ),
  };
  const now = sensitivePointers({ properties, definition, type: id.type, sealed });
  return {
    runId,
    resourceId: id,
    environmentId: environment.id,
    applicationId: application?.id,
    definition,
    configuration,
    parameters: mergeParameters(definition.parameters, properties),
    context: recipeContext({
      resourceId: id,
      properties,
      connections,
      environmentId: environment.id,
      applicationId: application?.id,
      configuration,
    }),
    // What is destroyed has the parameters of its run, whatever environment and packs say of them now.
    sensitive: kind === "delete" ? [...new Set([...now, ...(recorded?.sensitive ?? [])])] : now,
    recorded,
    readSecret: (secretId) => how.readSecret(secretId),
    resources: resources.asServer,
    // The operation's own fields are there already, and a driver adds those of its run.
    log: log.child({ recipe: definition.name, environment: environment.id.toString() }),
    signal,
    hide: (values) => requester.hide(values),
  };
}
