import { readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { CliError, systemCode } from "../cli-error.ts";
import { unreadableFile } from "../unreadable-file.ts";

/**
 * The private authority whose certificates a workspace accepts has a file of its own, as its token has: `config.yaml`
 * contains only what upstream knows.
 */
function authorityFile(configPath: string, workspace: string): string {
  return join(dirname(configPath), "authorities", `${encodeURIComponent(workspace)}.pem`);
}

/** At once, because commands that ask a control plane do this; `undefined` where the workspace has none. */
export function findAuthority(configPath: string, workspace: string): string | undefined {
  const file = authorityFile(configPath, workspace);
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (systemCode(error) === "ENOENT") {
      return undefined;
    }
    throw unreadableFile(file, systemCode(error));
  }
}

export async function saveAuthority(configPath: string, workspace: string, pem: string): Promise<void> {
  const { writeFileAtomically } = await import("@rad/artifacts/files");
  await writeFileAtomically(authorityFile(configPath, workspace), pem, { mode: 0o600, forceMode: true });
}

export function removeAuthority(configPath: string, workspace: string): void {
  rmSync(authorityFile(configPath, workspace), { force: true });
}

/** Reads certificates that somebody names. @throws CliError `InvalidCertificate`, `FileUnreadable` */
export async function readAuthority(file: string): Promise<string> {
  const { X509Certificate } = await import("node:crypto");
  let pem: string;
  try {
    pem = readFileSync(file, "utf8");
  } catch (error) {
    throw unreadableFile(file, systemCode(error));
  }
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^]*?-----END CERTIFICATE-----/g) ?? [];
  if (blocks.length === 0) {
    throw new CliError(
      "InvalidCertificate",
      `${file} holds no certificate: it needs a line "-----BEGIN CERTIFICATE-----" (the form PEM).`,
    );
  }
  const ends = blocks.map((block) => {
    try {
      return new X509Certificate(block).validToDate;
    } catch (error) {
      throw new CliError("InvalidCertificate", `${file} holds a certificate that is damaged.`, { cause: error });
    }
  });
  const last = new Date(Math.max(...ends.map((end) => end.getTime())));
  if (last < new Date()) {
    throw new CliError(
      "InvalidCertificate",
      `The certificate in ${file} expired on ${last.toISOString().slice(0, 10)}. Get the authority's current one.`,
    );
  }
  return `${blocks.join("\n")}\n`; // whatever else is in the file, a key for example, is not kept
}
