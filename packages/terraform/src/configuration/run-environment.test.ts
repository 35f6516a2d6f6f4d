import assert from "node:assert/strict";
import { devNull } from "node:os";
import { it } from "node:test";
import type { RunEnvironmentOptions } from "./run-environment.ts";
import { runEnvironment } from "./run-environment.ts";
import { secretLookup } from "./secret-lookup.ts";
import { recipeConfigSecrets, settingsSecrets } from "./secrets-in-use.ts";

const secretId = "/planes/radius/local/providers/Radius.Security/secrets/s";
const secrets = secretLookup([[secretId, { token: "canary-token", password: "canary-password" }]]);

function built(options: Partial<RunEnvironmentOptions> = {}): Record<string, string> {
  return runEnvironment({
    folder: "/runs/1",
    terraformrc: "/runs/1/.terraformrc",
    path: "/usr/bin",
    secrets,
    logLevel: "ERROR",
    configuration: [],
    ...options,
  });
}

const always = {
  PATH: "/usr/bin",
  HOME: "/runs/1",
  GIT_ASKPASS: "",
  GIT_TERMINAL_PROMPT: "0",
  GIT_TRACE2_ENV_VARS: "",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: devNull,
  GIT_SSH_COMMAND: "ssh -o BatchMode=yes",
  TF_LOG: "ERROR",
  TF_CLI_CONFIG_FILE: "/runs/1/.terraformrc",
  TF_IN_AUTOMATION: "1",
  TF_INPUT: "0",
  CHECKPOINT_DISABLE: "1",
};

it("nothing of the server's environment reaches a run", () => {
  process.env["TF_VAR_canary"] = "canary";

  const env = built();
  delete process.env["TF_VAR_canary"];

  assert.deepEqual(env, always);
});

it("settings, tokens, backend and variables are all in it", () => {
  const env = built({
    settings: {
      env: { TF_REGISTRY_CLIENT_TIMEOUT: "15", GREETING: 'a "${b}"\n' },
      terraformrc: { credentials: { "a.example": { token: { secretId, key: "token" } } } },
    },
    network: { HTTPS_PROXY: "http://proxy" },
    configuration: [{ TF_HTTP_PASSWORD: "p" }, { TF_VAR_radius_secret_1: "v" }],
  });

  assert.deepEqual(env, {
    ...always,
    HTTPS_PROXY: "http://proxy",
    TF_REGISTRY_CLIENT_TIMEOUT: "15",
    GREETING: 'a "${b}"\n',
    TF_TOKEN_a_example: "canary-token",
    TF_HTTP_PASSWORD: "p",
    TF_VAR_radius_secret_1: "v",
  });
});

const levels = [
  ["the server's", {}, "ERROR"],
  ["that of env", { env: { TF_LOG: "debug" } }, "DEBUG"],
  ["that of logging, which wins over env", { env: { TF_LOG: "DEBUG" }, logging: { level: "Trace" } }, "TRACE"],
  ["off", { logging: { level: "OFF" } }, "OFF"],
] as const;
for (const [what, settings, level] of levels) {
  it(`the log level is ${what}`, () => {
    assert.equal(built({ settings })["TF_LOG"], level);
  });
}

// Terraform takes TF_LOG for its core before TF_LOG_CORE, and TF_LOG_PROVIDER for providers before TF_LOG.
for (const [env, logging, expected] of [
  [{ TF_LOG_CORE: "TRACE" }, {}, { TF_LOG_CORE: "TRACE", TF_LOG_PROVIDER: "ERROR" }],
  [{ TF_LOG_CORE: "TRACE", TF_LOG_PROVIDER: "WARN" }, {}, { TF_LOG_CORE: "TRACE", TF_LOG_PROVIDER: "WARN" }],
  [{ TF_LOG_PROVIDER: "TRACE" }, {}, { TF_LOG: "ERROR", TF_LOG_PROVIDER: "TRACE" }],
  [{ TF_LOG_CORE: "TRACE" }, { level: "INFO" }, { TF_LOG: "INFO", TF_LOG_CORE: "TRACE" }],
  [{ TF_LOG_CORE: "TRACE", TF_LOG: "off" }, {}, { TF_LOG: "OFF", TF_LOG_CORE: "TRACE" }],
] as const) {
  it(`levels of a part of Terraform hold: ${JSON.stringify({ env, logging })}`, () => {
    const levels = Object.entries(built({ settings: { env, logging } })).filter(([name]) => name.startsWith("TF_LOG"));
    assert.deepEqual(Object.fromEntries(levels), expected);
  });
}

it("a user's variable never replaces one of the configuration", () => {
  const env = built({
    settings: { env: { TF_VAR_radius_secret_1: "mine", CHECKPOINT_DISABLE: "" } },
    configuration: [{ TF_VAR_radius_secret_1: "ours" }],
  });

  assert.equal(env["TF_VAR_radius_secret_1"], "ours");
  assert.equal(env["CHECKPOINT_DISABLE"], "1");
});

const recipeConfig = {
  env: { PLAIN: "a", BOTH: "plain", AWS_SECRET_ACCESS_KEY: "theirs" },
  envSecrets: { BOTH: { source: secretId, key: "password" } },
};

it("without settings recipeConfig counts, its secrets over its plain values", () => {
  const env = built({ recipeConfig });

  assert.deepEqual(env, { ...always, PLAIN: "a", BOTH: "canary-password", AWS_SECRET_ACCESS_KEY: "theirs" });
});

it("with settings recipeConfig does not count at all", () => {
  assert.deepEqual(built({ recipeConfig, settings: {} }), always);
});

for (const name of ["TF_WORKSPACE", "TF_DATA_DIR", "TF_CLI_ARGS_apply", "TF_LOG_PATH", "A B", "A=B", ""]) {
  it(`the variable ${JSON.stringify(name)} is refused in settings and in recipeConfig`, () => {
    for (const options of [
      { settings: { env: { [name]: "canary" } } },
      { recipeConfig: { env: { [name]: "canary" } } },
    ]) {
      assert.throws(
        () => built(options),
        (error: Error & { code: string }) =>
          error.code === "RecipeConfigurationFailure" && !error.message.includes("canary"),
      );
    }
  });
}

it("the secrets that a configuration uses are known before it is built", () => {
  const settings = {
    terraformrc: { credentials: { a: { secret: secretId }, b: { token: { secretId, key: "x" } } } },
    backend: { type: "s3", config: { secretKey: { secretId, key: "y" }, bucket: "b" } },
  };
  const config = {
    ...recipeConfig,
    terraform: { providers: { aws: [{ region: "r", secrets: { token: { source: secretId, key: "z" } } }] } },
  };

  assert.deepEqual(
    settingsSecrets(settings).map(({ key }) => key),
    ["token", "x", "y"],
  );
  assert.deepEqual(
    recipeConfigSecrets(config).map(({ key }) => key),
    ["password", "z"],
  );
});
