import { inSlices, isJsonObject, type JsonObject, type JsonValue, mainThread, objectMember, sameJson } from "@rad/core";
import type { PlannedAttribute, PlannedChange } from "@rad/resources";
import type { RunEvent } from "@rad/terraform";

/** What a plan in the format of `terraform show -json` changes. Values stay here: only names leave. */
export async function plannedChanges(plan: JsonValue): Promise<readonly PlannedChange[]> {
  const { resource_changes: all } = isJsonObject(plan) ? plan : {};
  const changes: PlannedChange[] = [];
  for (const resource of Array.isArray(all) ? all.filter(isJsonObject) : []) {
    await mainThread.giveWay();
    const change = objectMember(resource, "change");
    const { address, type, deposed } = resource;
    changes.push({
      address: typeof deposed === "string" ? `${text(address)} (deposed)` : text(address),
      type: text(type),
      action: actionOf(change["actions"]),
      attributes: await changedAttributes(change),
    });
  }
  return changes;
}

/** The same from what Terraform prints while it plans, which has no attributes and nothing that stays as it is. */
export function printedChanges(events: readonly RunEvent[]): readonly PlannedChange[] {
  return events.flatMap((event) => {
    if (event.kind !== "planned") {
      return [];
    }
    const { address, type, action } = event;
    return [{ address, type, action: actionOf([action]) }];
  });
}

const actions: Readonly<Record<string, PlannedChange["action"]>> = {
  create: "create",
  update: "update",
  delete: "delete",
  replace: "replace",
  remove: "forget",
  forget: "forget",
  read: "read",
};

/** Two actions are those of a replacement, in the order in which Terraform goes about it. */
function actionOf(given: JsonValue | undefined): PlannedChange["action"] {
  const [first, second] = Array.isArray(given) ? given : [];
  return second === undefined ? (actions[text(first)] ?? "no-op") : "replace";
}

async function changedAttributes(change: JsonObject): Promise<readonly PlannedAttribute[]> {
  const [before, after] = [objectMember(change, "before"), objectMember(change, "after")];
  const unknown = objectMember(change, "after_unknown");
  const names = new Set([...Object.keys(before), ...Object.keys(after), ...Object.keys(unknown)]);
  const isGone = change["after"] === null;
  const attributes: PlannedAttribute[] = [];
  for (const name of [...names].toSorted()) {
    const isUnknown = hasTrue(unknown[name]);
    const isSensitive =
      isSensitiveIn(change["before_sensitive"], name) || isSensitiveIn(change["after_sensitive"], name);
    const [old, fresh] = [before[name] ?? null, after[name] ?? null];
    const isChanged = isUnknown || !(await inSlices(sameJson(old, fresh)));
    if (isChanged ? !isGone : isSensitive && (old !== null || fresh !== null)) {
      attributes.push({ name, changed: isChanged, sensitive: isSensitive, unknown: isUnknown });
    }
  }
  return attributes;
}

/** `true` alone means the whole resource, and in the place of a member that member or a part of it. */
function isSensitiveIn(marks: JsonValue | undefined, name: string): boolean {
  return marks === true || (isJsonObject(marks) && Object.hasOwn(marks, name) && hasTrue(marks[name]));
}

function hasTrue(value: JsonValue | undefined): boolean {
  return value === true || (typeof value === "object" && value !== null && Object.values(value).some(hasTrue));
}

function text(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}
