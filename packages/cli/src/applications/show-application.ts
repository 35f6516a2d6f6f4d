import type { ResourceBody } from "@rad/client";
import { objectMember } from "@rad/core/json";
import type { CommandContext } from "../command-context.ts";
import { mustFind } from "../families/family-resource.ts";
import { naturalOrder } from "../output/natural-order.ts";
import { resourceColumns } from "../output/resource-columns.ts";
import type { Column } from "../output/table-layout.ts";
import { inApplications, sweepGroup } from "../resources/sweep-group.ts";
import { createTypeLookup } from "../resources/type-lookup.ts";
import type { ApplicationOptions } from "./find-application.ts";
import { namedApplication } from "./find-application.ts";

export async function showApplication(
  context: CommandContext,
  given: string | undefined,
  options: ApplicationOptions,
): Promise<void> {
  const workspace = await context.workspace();
  const wanted = await namedApplication(context, workspace, given, options);
  const { resource } = await mustFind(await context.client(workspace), wanted, workspace.name);
  if (context.output.format === "json") {
    context.output.json(resource);
  } else {
    await context.output.table(resourceColumns, [resource]);
  }
}

interface Status {
  readonly Name: string;
  readonly ResourceCount: number;
  readonly Gateways: readonly Gateway[];
}

interface Gateway {
  readonly Name: string;
  readonly Endpoint: string;
}

const statusColumns: readonly Column<Status>[] = [
  { heading: "APPLICATION", value: ({ Name }) => Name },
  { heading: "RESOURCES", value: ({ ResourceCount }) => String(ResourceCount) },
];

const gatewayColumns: readonly Column<Gateway>[] = [
  { heading: "GATEWAY", value: ({ Name }) => Name },
  { heading: "ENDPOINT", value: ({ Endpoint }) => Endpoint },
];

/** How many resources an application has, and where it is reached. */
export async function showStatus(
  context: CommandContext,
  given: string | undefined,
  options: ApplicationOptions,
): Promise<void> {
  const { output } = context;
  const workspace = await context.workspace();
  const wanted = await namedApplication(context, workspace, given, options);
  const client = await context.client(workspace);
  const application = await mustFind(client, wanted, workspace.name);
  const filter = inApplications([application.id.toLowerCase()]);
  const resources = await sweepGroup(client, createTypeLookup(client), application.group, filter);
  const status: Status = {
    Name: application.name,
    ResourceCount: resources.length,
    Gateways: resources.flatMap(gatewayOf).sort((a, b) => naturalOrder(a.Name, b.Name)),
  };
  if (output.format === "json") {
    output.json(status);
    return;
  }
  await output.table(statusColumns, [status]);
  if (status.Gateways.length > 0) {
    output.write("\n");
    await output.table(gatewayColumns, status.Gateways);
  }
}

function gatewayOf(resource: ResourceBody): Gateway[] {
  const { url } = objectMember(resource, "properties");
  const isGateway = resource.type.toLowerCase() === "applications.core/gateways";
  return isGateway && typeof url === "string" && url !== "" ? [{ Name: resource.name, Endpoint: url }] : [];
}
