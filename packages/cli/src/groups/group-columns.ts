import type { ResourceBody } from "@rad/client";
import type { Column } from "../output/table-layout.ts";

export const groupColumns: readonly Column<ResourceBody>[] = [
  { heading: "GROUP", value: (group) => group.name },
  { heading: "ID", value: (group) => group.id },
];
