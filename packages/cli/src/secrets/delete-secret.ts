import { ClientError } from "@rad/client";
import type { CommandContext } from "../command-context.ts";
import type { SecretOptions } from "./secret-scope.ts";
import { secretId, secretsApiVersion, secretScope, secretType } from "./secret-scope.ts";

export interface DeleteSecretOptions extends SecretOptions {
  readonly yes?: boolean;
}

/** Deletes a secret with all its keys. */
export async function deleteSecret(context: CommandContext, name: string, options: DeleteSecretOptions): Promise<void> {
  const { output } = context;
  const scope = await secretScope(context, options);
  const { client } = scope;
  const id = await secretId(scope, name);
  const call = { apiVersion: secretsApiVersion };
  const display = `${secretType}/${name}`;
  const exists = await client.resources.get(id, call).then(
    () => true,
    (error: unknown) => {
      if (error instanceof ClientError && error.isNotFound) {
        return false;
      }
      throw error;
    },
  );
  if (!exists) {
    output.done(`${display} not found`, { id, status: "not found" });
    return;
  }
  const { confirm } = await import("../prompts.ts");
  const text = `Delete the secret "${name}" with all its keys?`;
  if (!(await confirm(context, { text, assumeYes: options.yes === true }))) {
    return;
  }
  const outcome = await client.resources.delete(id, call);
  const status = outcome === "deleted" ? "deleted" : "not found";
  output.done(`${display} ${status}`, { id, status });
}
