import { runEnvironment, type RunEnvironmentOptions } from "@rad/terraform";

type RunVariables = Omit<RunEnvironmentOptions, "folder" | "terraformrc" | "path" | "configuration">;

/** The environment of a run but for what depends on its folders, which the run itself knows. @throws ConfigurationError */
export function runVariables(options: RunVariables): Record<string, string> {
  const whole = runEnvironment({ ...options, folder: "", terraformrc: "", path: "", configuration: [] });
  const { PATH: _path, HOME: _home, TF_CLI_CONFIG_FILE: _file, ...env } = whole;
  return env;
}
