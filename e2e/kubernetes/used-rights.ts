import { readFile } from "node:fs/promises";
import path from "node:path";
import type { PolicyRule } from "@rad/kubernetes/testing";
import { parse } from "yaml";

interface AuditEvent {
  readonly stage: string;
  readonly verb: string;
  readonly requestURI: string;
  readonly user: { readonly username: string };
  readonly objectRef?: { readonly apiGroup?: string; readonly resource?: string; readonly subresource?: string };
  readonly responseStatus?: { readonly code?: number };
}

export interface UsedRights {
  /** `patch apps/deployments`, sorted. */
  readonly used: readonly string[];
  /** Requests that were refused for want of a right. */
  readonly refused: readonly string[];
}

/** The rules of the ClusterRole that the documentation recommends. */
export async function documentedRules(): Promise<readonly PolicyRule[]> {
  const page = await readFile(path.join(import.meta.dirname, "..", "..", "docs", "kubernetes.md"), "utf8");
  const [, role = ""] = /```yaml role\.yaml\n([^`]*)```/.exec(page) ?? [];
  return (parse(role) as { rules: readonly PolicyRule[] }).rules;
}

/** What a user has done, by the audit log of the API server. */
export async function usedRights(auditLog: string, user: string): Promise<UsedRights> {
  const lines = (await readFile(auditLog, "utf8")).split("\n").filter((line) => line.includes(user));
  const events = lines
    .map((line) => JSON.parse(line) as AuditEvent)
    .filter(({ stage, user: { username } }) => stage !== "RequestReceived" && username === user);
  const refused = events.filter(({ responseStatus }) => responseStatus?.code === 403);
  const used = events.flatMap(({ verb, objectRef, responseStatus }) => {
    const { apiGroup = "", resource, subresource } = objectRef ?? {};
    if (resource === undefined) {
      return [];
    }
    const what = subresource === undefined ? resource : `${resource}/${subresource}`;
    return verbsOf(verb, responseStatus?.code).map((each) => right(each, apiGroup, what));
  });
  return {
    used: [...new Set(used)].toSorted(),
    refused: refused.map(({ verb, requestURI }) => `${verb} ${requestURI}`),
  };
}

function verbsOf(verb: string, status: number | undefined): readonly string[] {
  if (verb === "patch" && status === 201) {
    return [verb, "create"]; // to apply an object that is not there takes the right to create it
  }
  // Who waits for an object lists first, and watches unless the wait is over by then.
  return verb === "list" ? [verb, "watch"] : [verb];
}

/** What rules allow, in the same form. */
export function grantedRights(rules: readonly PolicyRule[]): readonly string[] {
  const granted = rules.flatMap(({ apiGroups = [], resources = [], verbs }) =>
    apiGroups.flatMap((group) => resources.flatMap((resource) => verbs.map((verb) => right(verb, group, resource)))),
  );
  return granted.toSorted();
}

function right(verb: string, group: string, resource: string): string {
  return `${verb} ${group === "" ? "core" : group}/${resource}`;
}
