import { closeSync, fstatSync, openSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { CliError, systemCode } from "../cli-error.ts";

const maxTokenBytes = 65_536;

/** Each workspace's token has a file of its own beside the configuration, so that sharing that file shares no secret. */
export function tokenFile(configPath: string, workspace: string): string {
  return join(dirname(configPath), "tokens", encodeURIComponent(workspace));
}

export async function saveToken(configPath: string, workspace: string, token: string): Promise<void> {
  const { writeFileAtomically } = await import("@rad/artifacts/files");
  await writeFileAtomically(tokenFile(configPath, workspace), `${token}\n`, { mode: 0o600, forceMode: true });
}

export async function removeToken(configPath: string, workspace: string): Promise<void> {
  rmSync(tokenFile(configPath, workspace), { force: true });
}

/** The token to send: `RADIUS_TOKEN`, else the one in `file`, else none. */
export async function findToken(
  env: Readonly<Record<string, string | undefined>>,
  file: string | undefined,
): Promise<string | undefined> {
  const given = env["RADIUS_TOKEN"]?.trim();
  if (given !== undefined && given !== "") {
    return checkToken(given, "RADIUS_TOKEN");
  }
  return file === undefined ? undefined : readTokenFile(file, { optional: true });
}

/** @throws CliError `InsecureTokenFile` when others may read it. */
export async function readTokenFile(path: string, options: { optional?: boolean } = {}): Promise<string | undefined> {
  try {
    return checkToken(readSecret(path).trim(), path);
  } catch (error) {
    if (error instanceof CliError) {
      throw error;
    }
    const code = systemCode(error);
    if (code === "ENOENT" && options.optional === true) {
      return undefined;
    }
    if (code === "ENOENT") {
      throw new CliError("TokenUnreadable", `The token file ${path} does not exist.`);
    }
    const advice = code === "EACCES" ? " Is it another user's? Ask for a token of your own." : "";
    throw new CliError(
      "TokenUnreadable",
      `The token file ${path} cannot be read (${code ?? "unknown error"}).${advice}`,
    );
  }
}

/** At once, because every command that asks a control plane does this, and `node:fs/promises` takes 1 ms to load. */
function readSecret(path: string): string {
  const file = openSync(path, "r");
  try {
    const { mode, size, uid } = fstatSync(file);
    if (process.getuid !== undefined && uid !== process.getuid()) {
      throw new CliError(
        "InsecureTokenFile",
        `The token file ${path} belongs to another user, who can read and change it. Use a file of your own, with a token of your own.`,
      );
    }
    if (process.platform !== "win32" && (mode & 0o077) !== 0) {
      throw new CliError(
        "InsecureTokenFile",
        `The token file ${path} can be read by others than its owner. Run \`chmod 600 ${path}\` and create a new token if it may have been seen.`,
      );
    }
    if (size > maxTokenBytes) {
      throw new CliError("InvalidToken", `The token file ${path} is too large to be one.`);
    }
    return readFileSync(file, "utf8");
  } finally {
    closeSync(file);
  }
}

/** A token goes into a header: a line break or a blank in it is a mistake that should not be sent. */
function checkToken(token: string, source: string): string {
  if (!/^[\u0021-\u007e]+$/.test(token)) {
    throw new CliError(
      "InvalidToken",
      `${source} does not hold a token: it is empty or has blanks or line breaks in it.`,
    );
  }
  return token;
}
