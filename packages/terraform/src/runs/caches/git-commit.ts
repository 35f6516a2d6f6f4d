import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const timeoutMs = 30_000;

export interface GitPlace {
  readonly url: string;
  readonly ref: string;
}

export interface GitRun {
  readonly work: string;
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/**
 * What a ref is now, with the credentials of the run: the answer also shows that they may read the repository.
 * `undefined` when the server does not say; then Terraform's own download tells why.
 */
export async function gitCommitOf({ url, ref }: GitPlace, { work, env, signal }: GitRun): Promise<string | undefined> {
  const isCommit = /^[0-9a-f]{7,40}$/u.test(ref);
  // An annotated tag is shown with the commit that it is for.
  const asked = isCommit ? ["HEAD"] : [ref, `${ref}^{}`];
  try {
    const { stdout } = await run("git", ["ls-remote", "--", url, ...asked], {
      cwd: work,
      env: { ...env, GIT_TERMINAL_PROMPT: "0" },
      signal,
      timeout: timeoutMs,
      maxBuffer: 1 << 20,
    });
    return isCommit ? ref : stdout.trim() || undefined;
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}

/** The commit that one of these folders has. Terraform clones a repository once, and copies it without `.git` for others. */
export async function gitHeadOf(folders: readonly string[], { env, signal }: GitRun): Promise<string | undefined> {
  for (const folder of folders) {
    try {
      const args = [`--git-dir=${join(folder, ".git")}`, "rev-parse", "HEAD"];
      const { stdout } = await run("git", args, { env: { ...env }, signal, timeout: timeoutMs });
      return stdout.trim();
    } catch {
      signal.throwIfAborted();
    }
  }
  return undefined;
}
