import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { RunError } from "./run-error.ts";

const run = promisify(execFile);
const timeoutMs = 10_000;
/** The first that takes its configuration from the environment. */
const oldest = [2, 31] as const;

/** Paths whose git is known to do: it is not asked again. */
const known = new Set<string>();

/** @throws RunError when modules from repositories cannot be fetched, with the reason in words */
export async function requireGit(env: Readonly<Record<string, string>>): Promise<void> {
  const path = env["PATH"] ?? "";
  if (known.has(path)) {
    return;
  }
  const version = await gitVersion(path);
  if (version === undefined) {
    throw unfit(
      "git is not installed where recipes run, and the module is in a Git repository. Install git 2.31 or later",
    );
  }
  const [, major = "0", minor = "0"] = /(\d+)\.(\d+)/u.exec(version) ?? [];
  const isOld = Number(major) < oldest[0] || (Number(major) === oldest[0] && Number(minor) < oldest[1]);
  if (isOld) {
    throw unfit(`git ${version} is too old to fetch modules from private repositories. Install git 2.31 or later`);
  }
  known.add(path);
}

async function gitVersion(path: string): Promise<string | undefined> {
  try {
    const { stdout } = await run("git", ["--version"], { env: { PATH: path }, timeout: timeoutMs });
    return stdout.replace(/^git version /u, "").trim();
  } catch {
    return undefined;
  }
}

function unfit(message: string): RunError {
  return new RunError("CommandFailed", message, { command: "get" });
}
