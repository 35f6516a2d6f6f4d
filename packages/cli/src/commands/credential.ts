import type { Command } from "commander";
import type { AccessKeyFlags, AzureFlags, IrsaFlags } from "../credentials/register-credential.ts";
import type { ContextOf } from "../program.ts";
import { examples } from "../program.ts";

const register = () => import("../credentials/register-credential.ts");
const show = () => import("../credentials/show-credentials.ts");
const seenByOthers = "others on this machine can see arguments, so prefer to be asked, or";
const client = "0f1b3c5d-0000-4000-8000-000000000001";
const tenant = "0f1b3c5d-0000-4000-8000-000000000002";

export function defineCredential(command: Command, context: ContextOf): void {
  defineRegister(command.command("register"), context);
  command
    .command("unregister")
    .description("Remove the credential of a cloud")
    .argument("<cloud>", "azure or aws")
    .addHelpText("after", examples("rad credential unregister azure"))
    .action(async (cloud: string) => (await show()).unregisterCredential(context(), cloud));
  command
    .command("list")
    .description("List the clouds that have a credential")
    .addHelpText("after", examples("rad credential list", "rad credential list -o json"))
    .action(async () => (await show()).listCredentials(context()));
  command
    .command("show")
    .description("Show the credential of a cloud, without its secret")
    .argument("<cloud>", "azure or aws")
    .addHelpText("after", examples("rad credential show aws"))
    .action(async (cloud: string) => (await show()).showCredential(context(), cloud));
}

function defineRegister(command: Command, context: ContextOf): void {
  command.description("Give the control plane the one credential that it has for a cloud, or replace it");
  const azure = command.command("azure").description("Register a credential for Azure");
  azure
    .command("sp")
    .description("Register a service principal")
    .requiredOption("--client-id <id>", "client id of the service principal, a GUID")
    .requiredOption("--tenant-id <id>", "tenant id, a GUID")
    .option("--client-secret <text>", `the secret itself; ${seenByOthers} --client-secret-from-file`)
    .option("--client-secret-from-file <path>", "file with the secret; - reads it from stdin")
    .addHelpText(
      "after",
      examples(
        `rad credential register azure sp --client-id ${client} --tenant-id ${tenant}`,
        `printenv AZURE_CLIENT_SECRET | rad credential register azure sp --client-id ${client} --tenant-id ${tenant} --client-secret-from-file -`,
      ),
    )
    .action(async (flags: AzureFlags) => (await register()).registerServicePrincipal(context(), flags));
  azure
    .command("wi")
    .description("Register a workload identity, which has no secret")
    .requiredOption("--client-id <id>", "client id of the identity, a GUID")
    .requiredOption("--tenant-id <id>", "tenant id, a GUID")
    .addHelpText("after", examples(`rad credential register azure wi --client-id ${client} --tenant-id ${tenant}`))
    .action(async (flags: AzureFlags) => (await register()).registerWorkloadIdentity(context(), flags));
  const aws = command.command("aws").description("Register a credential for AWS");
  aws
    .command("access-key")
    .description("Register an access key")
    .requiredOption("--access-key-id <id>", "id of the access key")
    .option("--secret-access-key <text>", `the secret itself; ${seenByOthers} --secret-access-key-from-file`)
    .option("--secret-access-key-from-file <path>", "file with the secret; - reads it from stdin")
    .addHelpText(
      "after",
      examples(
        "rad credential register aws access-key --access-key-id AKIAIOSFODNN7EXAMPLE",
        "rad credential register aws access-key --access-key-id AKIAIOSFODNN7EXAMPLE --secret-access-key-from-file key.txt",
      ),
    )
    .action(async (flags: AccessKeyFlags) => (await register()).registerAccessKey(context(), flags));
  aws
    .command("irsa")
    .description("Register an IAM role for the control plane's service account, which has no secret")
    .requiredOption("--iam-role <arn>", "ARN of the role")
    .addHelpText("after", examples("rad credential register aws irsa --iam-role arn:aws:iam::123456789012:role/radius"))
    .action(async (flags: IrsaFlags) => (await register()).registerIrsa(context(), flags));
}
