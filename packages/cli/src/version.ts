/**
 * What `rad version --cli` says. Installer scripts parse it: never rename a key. The bundle replaces the three values
 * when it is built; from source they say so. This file imports nothing, because it is on the path of every start.
 */
declare const RAD_BUILD: { readonly release: string; readonly version: string; readonly commit: string } | undefined;

export interface CliVersion {
  readonly release: string;
  readonly version: string;
  readonly bicep: string;
  readonly commit: string;
}

/** Whether this is the one-file build rather than the sources. */
export const isBundled = typeof RAD_BUILD !== "undefined";

const build = typeof RAD_BUILD === "undefined" ? { release: "edge", version: "0.1.0", commit: "unknown" } : RAD_BUILD;

export const cliVersion: CliVersion = {
  release: build.release,
  version: build.version,
  bicep: build.version,
  commit: build.commit,
};
