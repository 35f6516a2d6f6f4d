import { spawn } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import type { JsonObject } from "@rad/core";
import type { ConfiguredProviders } from "../terraform-settings.ts";

/** A folder in which a real program runs with a configuration of ours. */
export interface WorkingFolder extends AsyncDisposable {
  readonly path: string;
  write(files: Readonly<Record<string, string>>): Promise<void>;
  /** Runs a command with exactly this environment. */
  run(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Result>;
  /** The files below the folder that have one of these texts in them. */
  filesWith(texts: readonly string[]): Promise<string[]>;
}

export interface Result {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export async function workingFolder(binary: string): Promise<WorkingFolder> {
  const folder = await mkdtemp(path.join(tmpdir(), "rad-configuration-"));
  return {
    path: folder,
    write: async (files) => {
      for (const [name, content] of Object.entries(files)) {
        const file = path.join(folder, name);
        await mkdir(path.dirname(file), { recursive: true });
        await writeFile(file, content);
      }
    },
    run: async (args, env) => {
      const child = spawn(binary, args, { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
      const ended = new Promise<number | null>((resolve, reject) => {
        child.once("error", reject).once("close", resolve);
      });
      const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
      return { code, stdout, stderr };
    },
    filesWith: async (texts) => {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true });
      const found: string[] = [];
      for (const entry of entries.filter((item) => item.isFile())) {
        const content = await readFile(path.join(entry.parentPath, entry.name), "utf8");
        if (texts.some((wanted) => content.includes(wanted) || content.includes(JSON.stringify(wanted).slice(1, -1)))) {
          found.push(path.relative(folder, path.join(entry.parentPath, entry.name)));
        }
      }
      return found;
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}

export const owner = {
  resourceId: "/planes/radius/local/resourceGroups/default/providers/Applications.Datastores/redisCaches/cache",
  environmentName: "env",
  applicationName: "app",
};

/** A module that gives back what it is given, through a resource so that the state has it too. */
export const echoModule = {
  "module/main.tf": `
    variable "value" { type = any }
    variable "context" { type = any }
    variable "password" {
      type      = string
      sensitive = true
      default   = ""
    }
    resource "terraform_data" "echo" { input = var.value }
    output "result" {
      value = {
        value    = terraform_data.echo.output
        context  = var.context
        password = var.password
      }
      sensitive = true
    }
  `,
};
export const echoContents = {
  variables: ["value", "context", "password"].map((name) => ({ name, required: name !== "password" })),
  outputs: [{ name: "result", sensitive: true }],
  requiredProviders: {},
};

/** A provider that is part of Terraform, so that nothing is downloaded. */
export const aliasModule = {
  "module/main.tf": `
    terraform {
      required_providers {
        terraform = {
          source                = "terraform.io/builtin/terraform"
          configuration_aliases = [terraform.east]
        }
      }
    }
    resource "terraform_data" "one" {
      provider = terraform.east
      input    = 1
    }
  `,
};
export const aliasContents = {
  variables: [],
  outputs: [],
  requiredProviders: {
    terraform: { source: "terraform.io/builtin/terraform", configurationAliases: ["terraform.east"] },
  },
};
export const aliasProviders: ConfiguredProviders = { terraform: [{ alias: "east" }] };

export function printed(file: JsonObject): string {
  return JSON.stringify(file, undefined, 2);
}
