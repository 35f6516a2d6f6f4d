import type { Client, Deployment, DeploymentOperation, ResourceBody, StartedDeployment, WhatIf } from "@rad/client";
import { isTerminal, type JsonObject, type JsonValue } from "@rad/core";
import { until } from "@rad/core/testing";

const apiVersions: Readonly<Record<string, string>> = {
  "radius.test": "2025-01-01",
  "radius.core": "2025-08-01-preview",
  "applications.core": "2023-10-01-preview",
  "test.steered": "2025-01-01",
};

/** A resource group that templates are deployed to; `create` makes it, the constructor takes one that is there. */
export class DeployGroup {
  readonly scope: string;
  readonly #client: Client;
  readonly #name: string;

  constructor(client: Client, name: string) {
    this.#client = client;
    this.#name = name;
    this.scope = `/planes/radius/local/resourceGroups/${name}`;
  }

  static async create(client: Client, name: string): Promise<DeployGroup> {
    await client.groups.put(name);
    return new DeployGroup(client, name);
  }

  deploymentId(name: string): string {
    return `${this.scope}/providers/Microsoft.Resources/deployments/${name}`;
  }

  whatIf(name: string, template: JsonObject, parameters: JsonObject): Promise<WhatIf> {
    return this.#client.deployments.whatIf(this.deploymentId(name), requestBody(template, parameters));
  }

  /** Deploys, waits for the end and returns it, whatever it is. */
  async deploy(name: string, template: JsonObject, parameters: JsonObject): Promise<Deployment> {
    await this.start(name, template, parameters);
    return this.ended(name);
  }

  start(name: string, template: JsonObject, parameters: JsonObject): Promise<StartedDeployment> {
    return this.#client.deployments.start(this.deploymentId(name), requestBody(template, parameters));
  }

  async ended(name: string): Promise<Deployment> {
    return await until(
      `the deployment '${name}' has ended`,
      async () => {
        const deployment = await this.#client.deployments.get(this.deploymentId(name));
        return isTerminal(deployment.state) && deployment;
      },
      { timeoutMs: 300_000 },
    );
  }

  /** What the deployment did, and what those nested in it did, by the name of the deployment. */
  async operations(name: string): Promise<ReadonlyMap<string, readonly DeploymentOperation[]>> {
    const found = new Map<string, readonly DeploymentOperation[]>();
    const waiting = [name];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const operations = await this.#client.deployments.operations(this.deploymentId(next));
      found.set(next, operations);
      for (const { target } of operations) {
        if (target?.type === "Microsoft.Resources/deployments" && !found.has(target.name)) {
          waiting.push(target.name);
        }
      }
    }
    return found;
  }

  /** Every resource of the group as it is stored, by its lower-cased id; deployments are none. */
  async documents(): Promise<ReadonlyMap<string, ResourceBody>> {
    const documents = new Map<string, ResourceBody>();
    for (const { id } of await this.#client.groups.resources(this.#name)) {
      const [, namespace = ""] = /\/providers\/([^/]+)/.exec(id.toLowerCase()) ?? [];
      const apiVersion = apiVersions[namespace];
      if (apiVersion !== undefined) {
        documents.set(id.toLowerCase(), await this.#client.resources.get(id, { apiVersion }));
      }
    }
    return documents;
  }

  /** What the vaults and containers among these resources answer when they are asked for their secrets. */
  async secrets(documents: ReadonlyMap<string, ResourceBody>): Promise<ReadonlyMap<string, JsonValue>> {
    const secrets = new Map<string, JsonValue>();
    for (const { id, type } of documents.values()) {
      if (type === "Radius.Test/vaults" || type === "Radius.Test/containers") {
        const answer = await this.#client.resources.action(id, "listSecrets", {}, { apiVersion: "2025-01-01" });
        secrets.set(
          id,
          type === "Radius.Test/vaults" ? ((answer as JsonObject)["password"] ?? null) : (answer ?? null),
        );
      }
    }
    return secrets;
  }
}

function requestBody(template: JsonObject, parameters: JsonObject): JsonObject {
  const values = Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, { value }]));
  return { properties: { mode: "Incremental", template, parameters: values } };
}
