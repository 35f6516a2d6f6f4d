import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { registerManifest } from "@rad/client";
import type { JsonObject } from "@rad/core";
import type { ModuleFiles } from "@rad/terraform/testing";
import { runRad } from "../deploy/run-rad.ts";
import type { RadResult } from "../deploy/run-rad.ts";
import { createPlatform, put, putSecret } from "../recipes/recipe-rig.ts";
import type { RecipeRig } from "../recipes/recipe-rig.ts";
import { apiVersion, clientOf, group } from "../support/api.ts";
import type { Server } from "../support/api.ts";

const namespace = "Test.Plans";

/** One bucket of a resource. Another team changes it in place, another name replaces it. */
export interface Item {
  readonly key: string;
  readonly name: string;
  readonly team: string;
}

/** Modules of three shapes, by their number: instances by key, instances by number, and a module within a module. */
function moduleOf(index: number): ModuleFiles {
  const bucket = (items: string, secret: string, note: string): string => `
terraform {
  required_providers {
    aws = { source = "hashicorp/aws", version = "~> 5.0" }
  }
}
resource "aws_s3_bucket" "b${index}" {
  ${index % 3 === 1 ? `count = length(${items})` : `for_each = { for item in ${items} : item.key => item }`}
  bucket = ${index % 3 === 1 ? `${items}[count.index].name` : "each.value.name"}
  tags   = { team = ${index % 3 === 1 ? `${items}[count.index].team` : "each.value.team"}, note = ${note} }
  secret = ${secret}
}
`;
  const inputs = `
variable "context" { type = any }
variable "secret" {
  type      = string
  sensitive = true
}
locals {
  items = try(var.context.resource.properties.items, [])
  note  = try(var.context.resource.properties.note, "none")
}
output "result" { value = { values = { made = length(local.items) } } }
`;
  if (index % 3 !== 2) {
    return { "main.tf": inputs + bucket("local.items", "var.secret", "local.note") };
  }
  return {
    "main.tf": `${inputs}
module "inner" {
  source = "./inner"
  items  = local.items
  note   = local.note
  secret = var.secret
}
`,
    "inner/main.tf": `
variable "items" { type = any }
variable "note" { type = string }
variable "secret" {
  type      = string
  sensitive = true
}
${bucket("var.items", "var.secret", "var.note")}`,
  };
}

function typeOf(index: number): string {
  return `${namespace}/things${index}`;
}

export function resourceId(index: number): string {
  return `${group}/providers/${typeOf(index)}/thing-${index}`;
}

export interface PlanPlatform {
  readonly environment: string;
  /** Gives the secret with this key another value; recipes with an odd number use `odd`, others `even`. */
  rotate(values: Readonly<Record<"odd" | "even", string>>): Promise<void>;
}

/** As many types as modules, each with its recipe. */
export async function createPlanPlatform(
  rig: RecipeRig,
  server: Server,
  options: { readonly modules: number; readonly secrets: Readonly<Record<"odd" | "even", string>> },
): Promise<PlanPlatform> {
  const numbers = Array.from({ length: options.modules }, (_, index) => index);
  const properties: JsonObject = {
    environment: { type: "string" },
    application: { type: "string" },
    note: { type: "string" },
    items: { type: "array", items: { type: "object", additionalProperties: { type: "string" } } },
    connections: {
      type: "object",
      additionalProperties: { type: "object", properties: { source: { type: "string" } } },
    },
    made: { type: "integer", readOnly: true },
  };
  await registerManifest(clientOf(server), {
    namespace,
    location: { name: "global" },
    types: numbers.map((index) => ({
      name: typeOf(index).split("/")[1] ?? "",
      capabilities: [],
      apiVersions: [{ name: apiVersion, schema: { type: "object", properties } }],
    })),
  });
  const secretId = await putSecret(server, "plan-canaries", options.secrets);
  const environment = await createPlatform(rig, server, { name: "plans" });
  const recipes = numbers.map((index) => {
    const { source } = rig.registry.publish(`acme/plan${index}/aws`, "1.0.0", moduleOf(index));
    const secret = { secretId, key: index % 2 === 1 ? "odd" : "even" };
    return [typeOf(index), { kind: "terraform", source: `${source}:1.0.0`, parameters: { secret } }] as const;
  });
  await put(server, "Radius.Core/recipePacks/plans", { recipes: Object.fromEntries(recipes) });
  return {
    environment,
    rotate: async (values) => void (await putSecret(server, "plan-canaries", values)),
  };
}

export interface Thing {
  readonly index: number;
  readonly items: readonly Item[];
  readonly more?: JsonObject;
}

export function templateOf(environment: string, things: readonly Thing[]): JsonObject {
  return {
    $schema: "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#",
    contentVersion: "1.0.0.0",
    languageVersion: "2.0",
    imports: { radius: { provider: "Radius", version: "latest" } },
    resources: Object.fromEntries(
      things.map(({ index, items, more = {} }) => [
        `thing${index}`,
        {
          import: "radius",
          type: `${typeOf(index)}@${apiVersion}`,
          properties: {
            name: `thing-${index}`,
            properties: { environment, items: items.map((item) => ({ ...item })), ...more },
          },
        },
      ]),
    ),
  };
}

export interface RadHome extends AsyncDisposable {
  readonly folder: string;
  /** Writes the template and runs `rad deploy` with it. */
  deploy(template: JsonObject, ...flags: readonly string[]): Promise<RadResult>;
  rad(...args: readonly string[]): Promise<RadResult>;
}

export async function openRadHome(server: Server): Promise<RadHome> {
  const folder = await mkdtemp(path.join(tmpdir(), "rad-home-"));
  const tokenFile = path.join(folder, "token");
  await writeFile(tokenFile, server.token, { mode: 0o600 });
  const rad = (...args: readonly string[]): Promise<RadResult> => runRad(folder, args);
  const create = ["workspace", "create", "server", "test"];
  const { code, stderr } = await rad(...create, "--url", server.url, "--token-file", tokenFile);
  if (code !== 0) {
    throw new Error(stderr);
  }
  return {
    folder,
    rad,
    deploy: async (template, ...flags) => {
      const file = path.join(folder, "app.json");
      await writeFile(file, JSON.stringify(template));
      return await rad("deploy", file, "-g", "test", ...flags);
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}
