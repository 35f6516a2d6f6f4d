import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Sandbox } from "./sandbox.ts";

const main = fileURLToPath(new URL("../main.ts", import.meta.url));

export interface RadRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `rad` as a process of its own in the home of a sandbox. */
export async function radProcess(sandbox: Sandbox, args: readonly string[], stdin = ""): Promise<RadRun> {
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", main, ...args], {
    cwd: sandbox.home,
    env: { PATH: process.env["PATH"], HOME: sandbox.home },
    stdio: ["pipe", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk) => (stdout += String(chunk)));
  child.stderr.on("data", (chunk) => (stderr += String(chunk)));
  child.stdin.end(stdin);
  const [code] = (await once(child, "close")) as [number | null];
  return { code, stdout, stderr };
}
