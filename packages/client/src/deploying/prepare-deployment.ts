import { isDeploymentName, type JsonObject } from "@rad/core";
import type { CallOptions, Client } from "../client.ts";
import { deploymentType } from "../deployment-type.ts";
import { applicationIn, type DeployedApplication } from "./application.ts";
import { checkNesting } from "./check-nesting.ts";
import { withDefaultRecipePack } from "./default-recipe-pack.ts";
import { DeployingError } from "./deploying-error.ts";
import { type Environment, findEnvironment } from "./environment.ts";
import { declaredParameters } from "./parameters/declared-parameters.ts";
import {
  addAutomaticParameters,
  checkNothingMissing,
  mergeParameters,
  type ParameterSource,
} from "./parameters/parameter-set.ts";
import { checkScope, deploymentScope, providerConfig } from "./provider-config.ts";
import { createsApplication, createsEnvironment } from "./template-resources.ts";

interface DeploymentContents extends CallOptions {
  /** Compiled; it is not changed. */
  readonly template: JsonObject;
  /** Later ones override earlier ones. */
  readonly parameters?: readonly ParameterSource[] | undefined;
  /** The id of an environment, or its name in the group. A template that creates one can do without. */
  readonly environment?: string | undefined;
  /** The name of the application that the deployment belongs to. */
  readonly application?: string | undefined;
  /** Makes an application that does not exist one of `Radius.Core`, whatever family the environment is of. */
  readonly preview?: boolean | undefined;
  /** `rad-deploy-<uuid>` unless there is one. Deployments of one name follow each other, and the last one is kept. */
  readonly name?: string | undefined;
  readonly extensionConfigs?: JsonObject | undefined;
}

/** The id of a resource group, or a provider config that has it, which is sent as it is. */
type DeploymentPlace =
  | { readonly scope: string; readonly providerConfig?: undefined }
  | { readonly scope?: undefined; readonly providerConfig: JsonObject };

export type DeploymentInput = DeploymentContents & DeploymentPlace;

/** Everything that is known before anything is changed. */
export interface PreparedDeployment {
  readonly id: string;
  readonly name: string;
  /** Nobody else uses the name. */
  readonly isNameUnique: boolean;
  readonly environment: Environment | undefined;
  readonly application: DeployedApplication | undefined;
  readonly needsDefaultRecipePack: boolean;
  /** Of the request, and of what-if. */
  readonly body: JsonObject;
}

/**
 * Looks up and checks what a deployment needs, and writes the request for it. Reads from the control plane, but changes
 * nothing there. @throws DeployingError, or ClientError when the control plane refuses to answer
 */
export async function prepareDeployment(client: Client, input: DeploymentInput): Promise<PreparedDeployment> {
  const { template, signal } = input;
  const scope = checkScope(input.providerConfig === undefined ? input.scope : deploymentScope(input.providerConfig));
  const name = input.name ?? `rad-deploy-${crypto.randomUUID()}`;
  if (!isDeploymentName(name)) {
    throw new DeployingError("InvalidDeploymentName", `"${name}" is not the name of a deployment.`);
  }
  checkNesting(template);
  const environment = await chooseEnvironment(client, input, scope);
  const declared = declaredParameters(template);
  const given = mergeParameters(declared, input.parameters ?? []);
  const application =
    input.application === undefined || environment === undefined
      ? undefined
      : applicationIn(scope, input.application, environment, input.preview === true);
  const automatic = { environment: environment?.id, application: application?.id };
  const parameters = addAutomaticParameters(declared, given, automatic);
  checkNothingMissing(declared, parameters);
  signal?.throwIfAborted();

  const sent = withDefaultRecipePack(template);
  const { extensionConfigs } = input;
  return {
    id: `${scope}/providers/${deploymentType}/${name}`,
    name,
    isNameUnique: input.name === undefined,
    environment,
    application,
    needsDefaultRecipePack: sent !== template,
    body: {
      properties: {
        template: sent,
        parameters,
        mode: "Incremental",
        providerconfig: input.providerConfig ?? providerConfig(scope, environment?.scopes ?? {}),
        ...(extensionConfigs === undefined ? {} : { extensionConfigs }),
      },
      tags: null,
    },
  };
}

/**
 * A template can do without an environment unless it belongs to an application or asks for one. The application is created
 * before the template is deployed, so an environment that the template creates comes too late for it, unless the template creates the application too.
 */
async function chooseEnvironment(
  client: Client,
  { environment, application, template, signal }: DeploymentContents,
  scope: string,
): Promise<Environment | undefined> {
  if (environment !== undefined) {
    return findEnvironment(client, environment, scope, { signal });
  }
  if (application === undefined) {
    return undefined;
  }
  if (!createsEnvironment(template)) {
    throw new DeployingError("NoEnvironment", `The application "${application}" needs an environment.`);
  }
  if (!createsApplication(template, application)) {
    throw new DeployingError(
      "EnvironmentNotCreated",
      `The application "${application}" needs an environment that exists already, and the template creates its own. Declare the application in the template, or deploy the environment first.`,
    );
  }
  return undefined;
}
