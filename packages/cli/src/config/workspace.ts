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
  /** A kube context; empty stands for the current one. */
  readonly context: string;
  readonly overrides?: { readonly ucp: string };
}

/** A connection straight to a URL, in the form that upstream's `rad` reads as well. */
export function serverConnection(url: string): Connection {
  return { kind: "kubernetes", context: "", overrides: { ucp: url } };
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
