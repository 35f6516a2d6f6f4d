import type { CliHost } from "../host.ts";
import { cliVersion } from "../version.ts";

/** What templates say about the compiler that made them. The override makes output of two versions comparable. */
export function generatorVersion(host: CliHost): string {
  const override = host.env["RAD_BICEP_GENERATOR_VERSION"] ?? "";
  return override === "" ? cliVersion.version : override;
}
