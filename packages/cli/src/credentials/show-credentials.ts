import type { Client, ResourceBody } from "@rad/client";
import { ClientError, systemApiVersion } from "@rad/client";
import type { JsonObject } from "@rad/core";
import { objectMember } from "@rad/core/json";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import type { Column } from "../output/table-layout.ts";
import type { Cloud } from "./cloud.ts";
import { cloudOf, clouds } from "./cloud.ts";

/** In the member names of upstream's `-o json`. */
interface CredentialStatus {
  readonly Name: string;
  readonly Enabled: boolean;
}

export async function listCredentials(context: CommandContext): Promise<void> {
  const { output } = context;
  const client = await context.client();
  const found = await Promise.all(clouds.map((cloud) => findCredential(client, cloud)));
  const rows: CredentialStatus[] = clouds.flatMap(({ name }, index) =>
    found[index] === undefined ? [] : [{ Name: name, Enabled: true }],
  );
  if (output.format === "json") {
    output.json(rows);
    return;
  }
  await output.table<CredentialStatus>(
    [
      { heading: "PROVIDER", value: ({ Name }) => Name },
      { heading: "REGISTERED", value: ({ Enabled }) => String(Enabled) },
    ],
    rows,
  );
}

export async function showCredential(context: CommandContext, given: string): Promise<void> {
  const { output } = context;
  const cloud = cloudOf(given);
  const credential = await findCredential(await context.client(), cloud);
  if (credential === undefined) {
    const next = cloud.name === "azure" ? "azure sp" : "aws access-key";
    throw new CliError(
      "CredentialNotFound",
      `No credential is registered for ${cloud.name}. Run \`rad credential register ${next} --help\` to see how to register one.`,
    );
  }
  const properties = objectMember(credential, "properties");
  if (output.format === "json") {
    output.json({ Name: cloud.name, Enabled: true, ...detailsOf(cloud, properties) });
    return;
  }
  await output.table(columnsOf(cloud, properties), [properties]);
}

export async function unregisterCredential(context: CommandContext, given: string): Promise<void> {
  const { output } = context;
  const { name, id } = cloudOf(given);
  const workspace = await context.workspace();
  const client = await context.client(workspace);
  output.note(`Unregistering the credential for ${name} in the control plane of workspace "${workspace.name}"...`);
  const outcome = await client.resources.delete(id, { apiVersion: systemApiVersion });
  const isGone = outcome === "deleted";
  output.done(isGone ? `Unregistered the credential for ${name}.` : `No credential is registered for ${name}.`, {
    Name: name,
    Enabled: false,
    status: isGone ? "deleted" : "not found",
  });
}

/** The cloud's credential, which never has its secret; `undefined` when none is registered. */
async function findCredential(client: Client, { id }: Cloud): Promise<ResourceBody | undefined> {
  try {
    return await client.resources.get(id, { apiVersion: systemApiVersion });
  } catch (error) {
    if (error instanceof ClientError && error.isNotFound) {
      return undefined;
    }
    throw error;
  }
}

function columnsOf({ name }: Cloud, { kind }: JsonObject): readonly Column<JsonObject>[] {
  const member = (heading: string, key: string): Column<JsonObject> => ({
    heading,
    value: (properties) => textOf(properties[key]),
  });
  const details =
    name === "azure"
      ? [member("CLIENTID", "clientId"), member("TENANTID", "tenantId")]
      : [kind === "IRSA" ? member("ROLEARN", "roleARN") : member("ACCESSKEYID", "accessKeyId")];
  return [
    { heading: "NAME", value: () => name },
    { heading: "REGISTERED", value: () => "true" },
    member("KIND", "kind"),
    ...details,
  ];
}

function detailsOf({ name }: Cloud, properties: JsonObject): JsonObject {
  const Kind = textOf(properties["kind"]);
  if (name === "azure") {
    const ids = { ClientID: textOf(properties["clientId"]), TenantID: textOf(properties["tenantId"]), Kind };
    return { AzureCredentials: { Kind, [Kind]: ids } };
  }
  return {
    AWSCredentials:
      Kind === "IRSA"
        ? { Kind, IRSA: { RoleARN: textOf(properties["roleARN"]), Kind } }
        : { Kind, AccessKey: { AccessKeyID: textOf(properties["accessKeyId"]), Kind } },
  };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
