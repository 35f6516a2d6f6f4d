import type { RecipeOrphan } from "@rad/client";
import type { CommandContext } from "../command-context.ts";
import type { Column } from "../output/table-layout.ts";

const columns: readonly Column<RecipeOrphan>[] = [
  { heading: "KIND", value: ({ kind }) => kind },
  { heading: "WHAT", value: ({ what }) => what },
  { heading: "RESOURCE", value: ({ resourceId }) => resourceId },
  { heading: "REASON", value: ({ reason }) => reason },
];

/** What recipes have made and no resource accounts for; in JSON as the API has it. */
export async function listOrphans(context: CommandContext): Promise<void> {
  const { output } = context;
  const orphans = await (await context.client()).recipes.orphans();
  if (output.format === "json") {
    output.json(orphans.map(({ document }) => document));
    return;
  }
  await output.table(columns, orphans);
  if (orphans.length === 0) {
    output.note("Everything that recipes have created belongs to a resource.");
  }
}
