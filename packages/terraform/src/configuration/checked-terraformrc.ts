import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "@rad/core";
import { ConfigurationError } from "./configuration-error.ts";
import { templateValue } from "./template-text.ts";
import type { InstallationMethod, TerraformrcOptions } from "./terraformrc.ts";
import { installationMethods, terraformrcOf } from "./terraformrc.ts";

/**
 * The CLI configuration, read back before it is used: Terraform goes on without a file that it cannot read, and would
 * then install providers from the internet.
 *
 * @throws ConfigurationError when it does not say what it should
 */
export async function checkedTerraformrc(options: TerraformrcOptions): Promise<string> {
  const text = terraformrcOf(options);
  await checkTerraformrc(text, installationMethods(options));
  return text;
}

/** @throws ConfigurationError when a text does not parse, or not into these methods */
export async function checkTerraformrc(text: string, methods: readonly InstallationMethod[]): Promise<void> {
  // The parser is large, and needed only when a recipe runs.
  const { parseHcl } = await import("../modules/parse-hcl.ts");
  const [parsed] = await parseHcl([{ name: "terraformrc.tf", text }], { isOwn: true }).catch((cause: unknown) => {
    throw refused("cannot be read back", cause);
  });
  if (parsed === undefined || "error" in parsed) {
    throw refused("does not parse");
  }
  if (!isDeepStrictEqual(JSON.parse(parsed.json), expectedJson(methods))) {
    throw refused("does not say what the settings say");
  }
}

/** As the parser prints it: each kind of block is a list, and strings are templates. */
function expectedJson(methods: readonly InstallationMethod[]): JsonObject {
  const blocks: JsonObject = {};
  for (const { kind, ...members } of methods) {
    blocks[kind] = [templateValue(plain(members))];
  }
  return { provider_installation: [blocks] };
}

function plain(members: Omit<InstallationMethod, "kind">): JsonObject {
  return JSON.parse(JSON.stringify(members)) as JsonObject;
}

function refused(problem: string, cause?: unknown): ConfigurationError {
  return new ConfigurationError(
    "RecipeConfigurationFailure",
    `The CLI configuration for Terraform, made from terraformrc of the settings, ${problem}. Check its mirror and patterns.`,
    { cause },
  );
}
