import { familyVersion } from "@rad/radius-types/families";
import type { CallOptions, Client } from "../client.ts";
import { ClientError } from "../client-error.ts";
import { DeployingError } from "./deploying-error.ts";
import type { Environment } from "./environment.ts";

/** An application that a deployment belongs to; it need not exist yet. */
export interface DeployedApplication {
  readonly name: string;
  readonly id: string;
  /** The id of the environment that it is created in. */
  readonly environment: string;
}

const maxNameLength = 63;

/** An application of the environment's family, or of the newer one with `preview`. */
export function applicationIn(
  scope: string,
  name: string,
  environment: Environment,
  preview: boolean,
): DeployedApplication {
  if (name.length > maxNameLength || !/^[a-z]([-a-z0-9]*[a-z0-9])?$/i.test(name)) {
    throw new DeployingError(
      "InvalidApplicationName",
      `"${name}" is not an application name: up to ${maxNameLength} letters, digits and -, starting with a letter.`,
    );
  }
  const namespace = preview ? "Radius.Core" : environment.namespace;
  return { name, id: `${scope}/providers/${namespace}/applications/${name}`, environment: environment.id };
}

export async function applicationExists(client: Client, id: string, options: CallOptions = {}): Promise<boolean> {
  try {
    await client.resources.get(id, { ...options, apiVersion: familyVersion(id) });
    return true;
  } catch (error) {
    if (error instanceof ClientError && error.isNotFound) {
      return false;
    }
    throw error;
  }
}

export async function createApplication(
  client: Client,
  { id, environment }: DeployedApplication,
  options: CallOptions,
): Promise<void> {
  const body = { location: "global", properties: { environment } };
  await client.resources.put(id, body, { ...options, apiVersion: familyVersion(id) });
}
