import type { RecordSubject } from "../records/node-record.ts";
import type { TargetNode } from "../target-order.ts";

/** What the record of a node is about. @param id the one that its provider has told, where the plan has none. */
export function nodeSubject(node: TargetNode, id: string | undefined): RecordSubject {
  return {
    key: node.key,
    operation: node.kind === "existing" ? "Read" : "Create",
    id,
    type: node.type,
    name: node.name ?? node.key,
    symbolicName: node.symbolicName,
  };
}
