import type { ResourceHandler } from "@rad/resources";
import { emptyGitTokens, gitTokenSecrets } from "../../git-tokens/git-tokens.ts";
import { missingSecrets } from "../../secret-references/missing-secrets.ts";
import { requireReadOfSettingsSecrets } from "../../secret-references/settings-secrets.ts";
import { neverInstalled } from "./never-installed.ts";
import { settingsProblems } from "./settings-problems.ts";

export const terraformSettingsHandler: ResourceHandler = {
  isReferenced: true,
  problems: ({ properties }) => settingsProblems(properties),
  validate: async (request) => {
    const { properties, resources } = request;
    requireReadOfSettingsSecrets(request);
    return {
      warnings: [
        ...neverInstalled(properties),
        ...emptyGitTokens(properties, []),
        ...(await missingSecrets(gitTokenSecrets(properties), resources)),
      ],
    };
  },
};
