import { execFile } from "node:child_process";
import { constants } from "node:fs";
import { access, realpath, stat } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import type { TerraformProduct } from "@rad/client";
import { isJsonObject } from "@rad/core/json";
import type { CliHost } from "../host.ts";

export interface FoundTerraform {
  readonly product: TerraformProduct;
  /** `terraform` or `tofu` */
  readonly command: string;
  readonly version: string;
  /** Of the file itself. */
  readonly path: string;
}

const commands = [
  { command: "terraform", product: "terraform" },
  { command: "tofu", product: "opentofu" },
] as const;
const answerTimeoutMs = 10_000;

/** The first program on the `PATH` that says that it is Terraform or OpenTofu. */
export async function findTerraform({ env, signal }: CliHost): Promise<FoundTerraform | undefined> {
  const folders = (env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  for (const { command, product } of commands) {
    for (const folder of folders) {
      const path = await programAt(join(folder, command));
      const version = path === undefined ? undefined : await versionOf(path, signal);
      if (path !== undefined && version !== undefined) {
        return { product, command, version, path };
      }
    }
  }
  return undefined;
}

async function programAt(file: string): Promise<string | undefined> {
  try {
    const path = await realpath(file);
    await access(path, constants.X_OK);
    return (await stat(path)).isFile() ? path : undefined;
  } catch {
    return undefined; // not there, or not for us
  }
}

async function versionOf(path: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    const options = { env: { CHECKPOINT_DISABLE: "1" }, timeout: answerTimeoutMs, signal };
    const { stdout } = await promisify(execFile)(path, ["version", "-json"], options);
    const answer: unknown = JSON.parse(stdout);
    const version = isJsonObject(answer) ? answer["terraform_version"] : undefined;
    return typeof version === "string" ? version : undefined;
  } catch {
    signal.throwIfAborted();
    return undefined; // a wrapper that cannot run here, or something else of that name
  }
}
