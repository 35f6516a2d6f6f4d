import type { ObjectName } from "./kubernetes-object.ts";

const plane = "/planes/kubernetes/local";

/** The id that an output resource has: `/planes/kubernetes/local/namespaces/shop/providers/apps/Deployment/web`. */
export function idOfObject({ group, kind, namespace, name }: ObjectName): string {
  const scope = namespace === undefined ? plane : `${plane}/namespaces/${namespace}`;
  return `${scope}/providers/${group === "" ? "core" : group}/${kind}/${name}`;
}

/** Gives `undefined` for the id of anything else. */
export function objectOfId(id: string): ObjectName | undefined {
  const pattern = /^\/planes\/kubernetes\/[^/]+(?:\/namespaces\/([^/]+))?\/providers\/([^/]+)\/([^/]+)\/([^/]+)$/i;
  const [, namespace, group, kind, name] = pattern.exec(id) ?? [];
  if (group === undefined || kind === undefined || name === undefined) {
    return undefined;
  }
  return { group: group.toLowerCase() === "core" ? "" : group, kind, namespace, name };
}
