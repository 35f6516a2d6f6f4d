import type { Client } from "@rad/client";
import { ClientError } from "@rad/client";
import { CliError } from "../cli-error.ts";

type Access = "read" | "write";

/**
 * Makes a request to the installer and explains what every one of them may be refused with.
 * @throws CliError for a missing permission, and for a control plane that has no installer
 */
export async function callInstaller<T>(client: Client, access: Access, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof ClientError && error.status === 403) {
      const permission = `Radius.Core/installer/${access}`;
      throw new CliError(
        "Forbidden",
        `You need the permission ${permission}. Ask an administrator for a role that has it, such as ${access === "write" ? "radius-admin" : "radius-reader"}.`,
        { cause: error },
      );
    }
    if (error instanceof ClientError && isUnknownRoute(error) && !(await hasInstaller(client))) {
      throw new CliError(
        "InstallerMissing",
        `The control plane at ${client.endpoint} has no Terraform installer. Upgrade the control plane, then run the command again.`,
      );
    }
    throw error;
  }
}

function isUnknownRoute({ status }: ClientError): boolean {
  return status === 404 || status === 405;
}

/** An installer answers 404, too, when there is nothing to uninstall. Only its status is there at all times. */
async function hasInstaller(client: Client): Promise<boolean> {
  try {
    await client.installer.status();
    return true;
  } catch (error) {
    if (error instanceof ClientError && isUnknownRoute(error)) {
      return false;
    }
    // Whoever may not read the status was answered by an installer.
    return error instanceof ClientError && error.status === 403;
  }
}
