/**
 * What `rad version --cli` says. Installer scripts parse it: never rename a key. The bundle replaces the three values
 * when it is built; from source they say so. This file imports nothing, because it is on the path of every start.
 */
declare const RAD_VERSION: string | undefined;
declare const RAD_COMMIT: string | undefined;

export interface CliVersion {
  readonly release: string;
  readonly version: string;
  readonly bicep: string;
  readonly commit: string;
}

/** Whether this is the one-file build rather than the sources. */
export const isBundled = typeof RAD_VERSION !== "undefined";

const version = typeof RAD_VERSION === "undefined" ? "0.1.0" : RAD_VERSION;

export const cliVersion: CliVersion = {
  release: "edge",
  version,
  bicep: version,
  commit: typeof RAD_COMMIT === "undefined" ? "unknown" : RAD_COMMIT,
};
