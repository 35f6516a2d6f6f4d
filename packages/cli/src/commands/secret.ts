import { type Command, Option } from "commander";
import type { ContextOf } from "../program.ts";
import { examples } from "../program.ts";
import type { DeleteSecretOptions } from "../secrets/delete-secret.ts";
import type { ListSecretsOptions } from "../secrets/list-secrets.ts";
import type { SetSecretOptions } from "../secrets/set-secret.ts";

const kinds = [
  "generic",
  "certificate-pem",
  "certificate-pkcs12",
  "basicAuthentication",
  "awsIRSA",
  "azureWorkloadIdentity",
];

export function defineSecret(command: Command, context: ContextOf): void {
  inScope(command.command("set"))
    .description("Create a secret, or give it new values; values come from a prompt, a file or stdin")
    .argument("<name>", "name of the secret")
    .argument("[keys...]", "keys whose values are asked for")
    .option(
      "-f, --from-file <key=path>",
      "key and the file with its value, which loses a line break at its end; key=- reads stdin. May be repeated",
      collect,
    )
    .addOption(new Option("--kind <kind>", "what the values are for").choices(kinds))
    .option("-e, --environment <name>", "environment that it belongs to; by default the workspace's, in the plane none")
    .option("--replace", "drop the keys that are not given")
    .addHelpText(
      "after",
      examples(
        "rad secret set registry token",
        "printenv REGISTRY_TOKEN | rad secret set registry --from-file token=-",
        "rad secret set backend access_key --from-file secret_key=secret.txt --plane",
      ),
    )
    .action(async (name: string, keys: readonly string[], options: SetSecretOptions) => {
      const { setSecret } = await import("../secrets/set-secret.ts");
      await setSecret(context(), name, keys, options);
    });
  inScope(command.command("list"))
    .description("List secrets with their keys; values are never shown")
    .option("-A, --all-groups", "those of the plane and of all resource groups")
    .addHelpText("after", examples("rad secret list", "rad secret list --plane -o json"))
    .action(async (options: ListSecretsOptions) => {
      const { listSecrets } = await import("../secrets/list-secrets.ts");
      await listSecrets(context(), options);
    });
  inScope(command.command("delete"))
    .description("Delete a secret with all its keys")
    .argument("<name>", "name of the secret")
    .option("-y, --yes", "do not ask")
    .addHelpText("after", examples("rad secret delete registry --yes"))
    .action(async (name: string, options: DeleteSecretOptions) => {
      const { deleteSecret } = await import("../secrets/delete-secret.ts");
      await deleteSecret(context(), name, options);
    });
}

function inScope(command: Command): Command {
  return command
    .option("-g, --group <name>", "resource group; by default the workspace's")
    .option("--plane", "in the plane instead of a group, for the environments of all groups");
}

/** For an option that may be repeated. */
function collect(text: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, text];
}
