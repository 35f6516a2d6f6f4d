import type { ResourceBody } from "@rad/client";
import { radiusPlane } from "@rad/client";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import { naturalOrder } from "../output/natural-order.ts";
import { resourceColumns } from "../output/resource-columns.ts";
import { explainMissingGroup, groupId, resolveGroup } from "../scope.ts";
import type { FamilyOptions } from "./choose-families.ts";
import { chosenFamilies } from "./choose-families.ts";
import type { FamilyKind } from "./family-resource.ts";

export interface FamilyListOptions extends FamilyOptions {
  readonly group?: string;
  readonly allGroups?: boolean;
}

/** Prints the environments or applications of a group, or of all; those of both families unless one was asked for. */
export async function listFamilies(
  context: CommandContext,
  kind: FamilyKind,
  options: FamilyListOptions,
): Promise<void> {
  if (options.allGroups === true && options.group !== undefined) {
    throw new CliError("InvalidUsage", "Use `--group` or `--all-groups`, not both.");
  }
  const workspace = await context.workspace();
  const group = options.allGroups === true ? undefined : await resolveGroup(context, options.group, workspace);
  const client = await context.client(workspace);
  const scope = group === undefined ? radiusPlane : groupId(group);
  let lists: ResourceBody[][];
  try {
    lists = await Promise.all(
      chosenFamilies(context, options).map(({ namespace, apiVersion }) =>
        client.resources.list(`${scope}/providers/${namespace}/${kind}`, { apiVersion }),
      ),
    );
  } catch (error) {
    throw group === undefined ? error : explainMissingGroup(error, group);
  }
  if (context.output.format === "json") {
    context.output.json(lists.flat());
  } else {
    const sorted = lists.flat().sort((a, b) => naturalOrder(a.name, b.name) || naturalOrder(a.id, b.id));
    await context.output.table(resourceColumns, sorted);
  }
}
