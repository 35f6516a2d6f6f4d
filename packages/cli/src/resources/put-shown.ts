import type { Client, ResourceBody, WriteOptions } from "@rad/client";
import type { JsonObject } from "@rad/core";
import type { CommandContext } from "../command-context.ts";
import { printWarnings } from "../output/print-warnings.ts";
import { explainMissingGroup, groupOf } from "../scope.ts";
import { showOperation } from "./show-operation.ts";

interface Shown {
  readonly id: string;
  readonly type: string;
  readonly name: string;
}

/** Writes a resource, and shows the steps of its operation and the control plane's warnings. */
export async function putShown(
  context: CommandContext,
  client: Client,
  target: Shown,
  body: JsonObject,
  options: Pick<WriteOptions, "apiVersion" | "ifMatch" | "ifNoneMatch">,
): Promise<ResourceBody> {
  const { id, type, name } = target;
  const operation = showOperation(context, { id, type, name });
  const warnings: string[] = [];
  try {
    return await client.resources.put(id, body, {
      ...options,
      onProgress: operation.update,
      onWarnings: (texts) => warnings.push(...texts),
    });
  } catch (error) {
    throw explainMissingGroup(error, groupOf(id) ?? "");
  } finally {
    await operation.end();
    printWarnings(context.output, warnings);
  }
}
