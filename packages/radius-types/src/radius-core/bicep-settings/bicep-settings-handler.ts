import type { ResourceHandler } from "@rad/resources";
import { requireReadOfSettingsSecrets } from "../../secret-references/settings-secrets.ts";
import { registryProblems } from "./registry-problems.ts";

export const bicepSettingsHandler: ResourceHandler = {
  isReferenced: true,
  problems: ({ properties }) => registryProblems(properties),
  validate: requireReadOfSettingsSecrets,
};
