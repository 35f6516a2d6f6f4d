import { CliError } from "../cli-error.ts";

/** A cloud whose credential the control plane keeps. */
export interface Cloud {
  readonly name: "azure" | "aws";
  /** The collection of its credentials. */
  readonly credentials: string;
  /** The one credential that is ever used. */
  readonly id: string;
}

export const azure = cloud("azure", "/planes/azure/azurecloud/providers/System.Azure/credentials");
export const aws = cloud("aws", "/planes/aws/aws/providers/System.AWS/credentials");
export const clouds: readonly Cloud[] = [azure, aws];

/** @throws CliError for a cloud that there is none of */
export function cloudOf(text: string): Cloud {
  const found = clouds.find(({ name }) => name === text.trim().toLowerCase());
  if (found === undefined) {
    throw new CliError("InvalidCloud", `"${text}" is not a cloud that rad knows: azure or aws.`);
  }
  return found;
}

function cloud(name: Cloud["name"], credentials: string): Cloud {
  return { name, credentials, id: `${credentials}/default` };
}
