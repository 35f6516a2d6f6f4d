import { CliError } from "../cli-error.ts";

/** A named connection to a control plane, with the group and environment that commands use unless told otherwise. */
export interface Workspace {
  /** Lower case: names are the same in any case. */
  readonly name: string;
  readonly connection: Connection;
  /** The full id of a resource group. */
  readonly scope?: string;
  /** The full id of an environment. */
  readonly environment?: string;
}

export interface Connection {
  readonly kind: "kubernetes";
  /**
   * A kube context. Without `overrides` the control plane is reached through it, and empty stands for the current one. With
   * them it only names the cluster whose pods are looked at, and empty stands for none.
   */
  readonly context: string;
  readonly overrides?: { readonly ucp: string };
}

/**
 * A connection straight to a URL, in the form that upstream's `rad` reads as well.
 * @param context of the cluster that the control plane there deploys to; empty when it is not known
 */
export function serverConnection(url: string, context = ""): Connection {
  return { kind: "kubernetes", context, overrides: { ucp: url } };
}

const maxNameLength = 63;

export function checkWorkspaceName(name: string): string {
  const folded = name.toLowerCase();
  if (folded.length > maxNameLength || !/^[a-z0-9]([a-z0-9._@:-]*[a-z0-9])?$/.test(folded)) {
    throw new CliError(
      "InvalidWorkspaceName",
      `"${name}" is not a workspace name: up to ${maxNameLength} letters, digits and . _ @ : -, starting and ending with a letter or digit.`,
    );
  }
  return folded;
}
