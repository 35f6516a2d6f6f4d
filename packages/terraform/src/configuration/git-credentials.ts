import { gitKeyOf, httpsHost } from "@rad/core/terraform";
import { ConfigurationError } from "./configuration-error.ts";
import type { RecipeConfig, TerraformSettings } from "./terraform-settings.ts";

/** A token and the one place that gets it. */
export interface GitCredential {
  /** Scheme, host and port: `https://git.example:8443`. */
  readonly origin: string;
  /** Wins over a name in an address. Without one, an address without a name gets a name that suits the host. */
  readonly username?: string;
  readonly password: string;
}

/** The secret with the token of a host. */
export interface GitToken {
  /** As `httpsHost` writes it. */
  readonly host: string;
  readonly secretId: string;
}

type Variables = Readonly<Record<string, string>>;

/** Settings are taken alone, as everywhere. An entry without a secret means no credentials. */
export function gitTokensOf(
  settings: TerraformSettings | undefined,
  recipeConfig: RecipeConfig | undefined,
): GitToken[] {
  const { authentication } = settings ?? recipeConfig?.terraform ?? {};
  return Object.entries(authentication?.git?.pat ?? {}).flatMap(([key, { secret }]) => {
    const host = httpsHost(key);
    return host === undefined || secret === undefined ? [] : [{ host, secretId: secret }];
  });
}

/** @throws ConfigurationError `LoadSecretsFailed`, without the value */
export function storedGitCredential({ host, secretId }: GitToken, values: Variables): GitCredential {
  const names = Object.keys(values);
  const key = gitKeyOf(names, "pat");
  if (key === undefined) {
    throw new ConfigurationError("LoadSecretsFailed", `'pat' secret key was not found in secret store '${secretId}'`);
  }
  const nameKey = gitKeyOf(names, "username");
  const username = nameKey === undefined ? "" : oneLine(secretId, nameKey, values[nameKey] ?? "");
  const password = oneLine(secretId, key, values[key] ?? "");
  if (password === "") {
    throw new ConfigurationError("LoadSecretsFailed", `'${key}' in secret store '${secretId}' is empty`);
  }
  return { origin: `https://${host}`, ...(username === "" ? {} : { username }), password };
}

/** Git's protocol for credentials is one of lines; a final line break comes from whatever wrote the secret. */
function oneLine(secretId: string, key: string, value: string): string {
  const text = value.replace(/[\r\n]+$/u, "");
  if (/[\r\n\0]/u.test(text)) {
    throw new ConfigurationError(
      "LoadSecretsFailed",
      `'${key}' in secret store '${secretId}' has several lines; a name and a token have one each`,
    );
  }
  return text;
}

/** The name to send with a token where nobody has named one. Most platforms take any; these ask for one of their own. */
export function defaultGitUser(host: string): string {
  const [name = ""] = host.toLowerCase().split(":");
  if (name === "dev.azure.com" || name.endsWith(".visualstudio.com")) {
    return "pat";
  }
  if (name.includes("gitlab")) {
    return "oauth2";
  }
  return name.includes("bitbucket") ? "x-token-auth" : "x-access-token";
}

/**
 * What makes git use each credential for exactly its origin. The values are in variables of their own, which a credential
 * helper prints: in no file, in no argument, and not in an address that a redirect would take along.
 * @param chosen variables of the user's, whose own git configuration stays
 */
export function gitVariables(credentials: readonly GitCredential[], chosen: Variables): Record<string, string> {
  const authorities = chosen["GIT_SSL_CAINFO"] ?? chosen["SSL_CERT_FILE"];
  const common = {
    // Nothing waits for an answer, whatever the settings say.
    GIT_TERMINAL_PROMPT: "0",
    // A trace may go to a file, and would name the values of variables there.
    GIT_TRACE2_ENV_VARS: "",
    ...(authorities === undefined ? {} : { GIT_SSL_CAINFO: authorities }),
  };
  if (credentials.length === 0) {
    return common;
  }
  const settings = [...ownSettings(chosen), ...credentials.flatMap((credential, index) => helper(credential, index))];
  const values = credentials.flatMap(({ origin, username, password }, index) => [
    [`RAD_GIT_USERNAME_${index}`, username ?? defaultGitUser(origin.replace(/^https?:\/\//u, ""))],
    [`RAD_GIT_PASSWORD_${index}`, password],
  ]);
  return {
    ...common,
    GIT_TRACE_REDACT: "1",
    GIT_CONFIG_COUNT: String(settings.length),
    ...Object.fromEntries(
      settings.flatMap(([key, value], index) => [
        [`GIT_CONFIG_KEY_${index}`, key],
        [`GIT_CONFIG_VALUE_${index}`, value],
      ]),
    ),
    ...Object.fromEntries(values),
  };
}

type GitSetting = readonly [key: string, value: string];

function helper({ origin, username }: GitCredential, index: number): GitSetting[] {
  const key = `credential.${origin}.helper`;
  const name = `printf 'username=%s\\n' "$RAD_GIT_USERNAME_${index}"`;
  const script = [
    'test "$1" = get || exit 0',
    // What git asks for has to be read; it may name a user of the address.
    'asked=; while read -r line && test -n "$line"; do case "$line" in username=?*) asked=1;; esac; done',
    username === undefined ? `test -n "$asked" || ${name}` : name,
    `printf 'password=%s\\n' "$RAD_GIT_PASSWORD_${index}"`,
  ].join("; ");
  return [
    [key, ""], // forgets all other helpers for this origin
    [key, `!f() { ${script}; }; f`],
  ];
}

/** Complete pairs alone: git refuses to run with a count that does not fit. */
function ownSettings(chosen: Variables): GitSetting[] {
  const count = Number(/^\d{1,4}$/u.exec(chosen["GIT_CONFIG_COUNT"] ?? "")?.[0] ?? 0);
  return Array.from({ length: count }).flatMap((_, index): GitSetting[] => {
    const [key, value] = [chosen[`GIT_CONFIG_KEY_${index}`], chosen[`GIT_CONFIG_VALUE_${index}`]];
    return key === undefined || value === undefined ? [] : [[key, value]];
  });
}
