import type { Client } from "@rad/client";
import { ClientError } from "@rad/client";
import { CliError } from "../cli-error.ts";
import type { Environment } from "./environment.ts";
import { familyVersion } from "@rad/radius-types/families";

const maxNameLength = 63;

/** The id of an application: of the environment's family, unless the newer one is asked for. */
export function applicationId(scope: string, name: string, environment: Environment, preview: boolean): string {
  if (name.length > maxNameLength || !/^[a-z]([-a-z0-9]*[a-z0-9])?$/i.test(name)) {
    throw new CliError(
      "InvalidApplicationName",
      `"${name}" is not an application name: up to ${maxNameLength} letters, digits and -, starting with a letter.`,
    );
  }
  return `${scope}/providers/${preview ? "Radius.Core" : environment.namespace}/applications/${name}`;
}

export async function applicationExists(client: Client, id: string): Promise<boolean> {
  try {
    await client.resources.get(id, { apiVersion: familyVersion(id) });
    return true;
  } catch (error) {
    if (error instanceof ClientError && error.isNotFound) {
      return false;
    }
    throw error;
  }
}

export async function createApplication(client: Client, id: string, environment: Environment): Promise<void> {
  const body = { location: "global", properties: { environment: environment.id } };
  await client.resources.put(id, body, { apiVersion: familyVersion(id) });
}
