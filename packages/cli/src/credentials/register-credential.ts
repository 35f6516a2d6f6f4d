import { systemApiVersion } from "@rad/client";
import type { JsonObject } from "@rad/core";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import { emptySecret, readSecretText } from "../secrets/read-secret.ts";
import type { Cloud } from "./cloud.ts";
import { aws, azure } from "./cloud.ts";

export interface AzureFlags {
  readonly clientId: string;
  readonly tenantId: string;
  readonly clientSecret?: string;
  readonly clientSecretFromFile?: string;
}

export interface AccessKeyFlags {
  readonly accessKeyId: string;
  readonly secretAccessKey?: string;
  readonly secretAccessKeyFromFile?: string;
}

export interface IrsaFlags {
  readonly iamRole: string;
}

const guid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const roleArn = /^arn:[\w-]+:iam::\d{12}:role\/\S+$/;

export async function registerServicePrincipal(context: CommandContext, flags: AzureFlags): Promise<void> {
  const ids = azureIds(flags);
  const clientSecret = await secretOf(context, {
    what: "client secret",
    flag: "--client-secret",
    given: flags.clientSecret,
    file: flags.clientSecretFromFile,
  });
  await register(context, azure, { kind: "ServicePrincipal", ...ids, clientSecret });
}

export async function registerWorkloadIdentity(context: CommandContext, flags: AzureFlags): Promise<void> {
  await register(context, azure, { kind: "WorkloadIdentity", ...azureIds(flags) });
}

export async function registerAccessKey(context: CommandContext, flags: AccessKeyFlags): Promise<void> {
  const accessKeyId = flags.accessKeyId.trim();
  if (accessKeyId === "") {
    throw new CliError("InvalidAccessKey", "`--access-key-id` is empty.");
  }
  const secretAccessKey = await secretOf(context, {
    what: "secret access key",
    flag: "--secret-access-key",
    given: flags.secretAccessKey,
    file: flags.secretAccessKeyFromFile,
  });
  await register(context, aws, { kind: "AccessKey", accessKeyId, secretAccessKey });
}

export async function registerIrsa(context: CommandContext, { iamRole }: IrsaFlags): Promise<void> {
  if (!roleArn.test(iamRole)) {
    throw new CliError(
      "InvalidRole",
      `"${iamRole}" is not the ARN of an IAM role, such as arn:aws:iam::123456789012:role/radius.`,
    );
  }
  await register(context, aws, { kind: "IRSA", roleARN: iamRole });
}

async function register(context: CommandContext, { name, id }: Cloud, properties: JsonObject): Promise<void> {
  const { output } = context;
  const workspace = await context.workspace();
  const client = await context.client(workspace);
  output.note(`Registering a credential for ${name} in the control plane of workspace "${workspace.name}"...`);
  await client.resources.put(
    id,
    { location: "global", properties: { ...properties, storage: { kind: "Internal" } } },
    { apiVersion: systemApiVersion },
  );
  output.done(`Registered the credential for ${name}. Recipes use it within 30 seconds.`, {
    Name: name,
    Enabled: true,
  });
}

/** @throws CliError about the first id that is none */
function azureIds({ clientId, tenantId }: AzureFlags): { readonly clientId: string; readonly tenantId: string } {
  for (const [flag, value] of [
    ["--client-id", clientId],
    ["--tenant-id", tenantId],
  ] as const) {
    if (!guid.test(value)) {
      throw new CliError("InvalidAzureId", `The value of \`${flag}\` is not a GUID.`);
    }
  }
  return { clientId, tenantId };
}

interface GivenSecret {
  readonly what: string;
  readonly flag: string;
  readonly given: string | undefined;
  readonly file: string | undefined;
}

async function secretOf(context: CommandContext, { what, flag, given, file }: GivenSecret): Promise<string> {
  const fileFlag = `${flag}-from-file`;
  if (given !== undefined && file !== undefined) {
    throw new CliError("InvalidUsage", `Use \`${flag}\` or \`${fileFlag}\`, not both.`);
  }
  if (given === undefined) {
    return await readSecretText(context, { what, file, fileFlag });
  }
  if (given === "") {
    throw emptySecret(what);
  }
  context.output.note(
    `Warning: the ${what} was given as an argument, which others on this machine can see and the shell may keep. Use \`${fileFlag}\`, or leave it out to be asked.`,
  );
  return given;
}
