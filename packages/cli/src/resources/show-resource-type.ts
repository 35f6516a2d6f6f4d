import { objectMember } from "@rad/core/json";
import type { PropertyRow } from "@rad/resource-types";
import type { Output } from "../output/output.ts";
import type { Column } from "../output/table-layout.ts";
import { printable } from "../output/printable.ts";
import type { KnownType } from "./type-lookup.ts";

const typeColumns: readonly Column<KnownType>[] = [
  { heading: "TYPE", value: (type) => type.fullName },
  { heading: "NAMESPACE", value: (type) => type.namespace },
];

const propertyColumns: readonly Column<PropertyRow>[] = [
  { heading: "NAME", value: (row) => row.name },
  { heading: "TYPE", value: (row) => row.type },
  { heading: "REQUIRED", value: (row) => String(row.required) },
  { heading: "READ-ONLY", value: (row) => String(row.readOnly) },
  { heading: "DESCRIPTION", value: (row) => row.description },
];

/** A type as people read it: what it is, and per version its properties, nested objects below. */
export async function showResourceType(output: Output, type: KnownType): Promise<void> {
  await output.table(typeColumns, [type]);
  const { description } = type.summary;
  if (typeof description === "string" && description !== "") {
    output.write(`\nDESCRIPTION:\n${printable(description).trimEnd()}\n`);
  }
  const { describeSchema } = await import("@rad/resource-types");
  for (const name of Object.keys(type.summary.apiVersions).sort()) {
    output.write(`\nAPI VERSION: ${name}\n`);
    const [top, ...nested] = describeSchema(objectMember(objectMember(type.summary.apiVersions, name), "schema"));
    output.write("\nTOP-LEVEL PROPERTIES:\n\n");
    await output.table(propertyColumns, top?.rows ?? []);
    if (nested.length > 0) {
      output.write("\nOBJECT PROPERTIES:\n");
    }
    for (const object of nested) {
      output.write(`\n${object.path}\n\n`);
      await output.table(propertyColumns, object.rows);
    }
  }
}
