import { execFile, spawn } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import type { ModuleFiles } from "./module-registry.ts";

const run = promisify(execFile);

export interface CommitOptions {
  /** `main` if left out. */
  readonly branch?: string;
  /** An annotated tag for the commit. */
  readonly tag?: string;
}

/** Test repositories do not depend on how git is set up on the machine. */
const gitEnvironment = {
  PATH: process.env["PATH"] ?? "",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_TERMINAL_PROMPT: "0",
};

export async function createBareRepository(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await run("git", ["init", "--quiet", "--bare", "--initial-branch=main", folder], { env: gitEnvironment });
  await run("git", ["-C", folder, "config", "uploadpack.allowAnySHA1InWant", "true"], { env: gitEnvironment });
}

/** Adds a commit that has these files and no others. @returns its hash */
export async function commitFiles(
  folder: string,
  files: ModuleFiles,
  { branch = "main", tag }: CommitOptions = {},
): Promise<string> {
  const ref = `refs/heads/${branch}`;
  const who = `Test <test@example.com> ${Math.floor(Date.now() / 1_000)} +0000`;
  const exists = await run("git", ["-C", folder, "rev-parse", "--verify", "--quiet", ref], {
    env: gitEnvironment,
  }).then(
    () => true,
    () => false,
  );
  const stream = [
    `commit ${ref}\ncommitter ${who}\n${data("a commit of the test")}`,
    ...(exists ? [`from ${ref}^0\n`] : []),
    "deleteall\n",
    ...Object.entries(files).map(([path, content]) => `M 100644 inline ${path}\n${data(content)}`),
    ...(tag === undefined ? [] : [`tag ${tag}\nfrom ${ref}\ntagger ${who}\n${data(tag)}`]),
  ];
  const child = spawn("git", ["-C", folder, "fast-import", "--quiet", "--force"], { env: gitEnvironment });
  const failure = text(child.stderr);
  child.stdin.end(stream.join(""));
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  if (code !== 0) {
    throw new Error(`git fast-import: ${await failure}`);
  }
  const { stdout } = await run("git", ["-C", folder, "rev-parse", ref], { env: gitEnvironment });
  return stdout.trim();
}

function data(content: string): string {
  return `data ${Buffer.byteLength(content)}\n${content}\n`;
}
