import { readFileSync, statSync } from "node:fs";
import { ConfigError } from "./config-error.ts";
import { invalid } from "./field.ts";
import { Place } from "./place.ts";
import { serverConfig } from "./server-config.ts";
import type { ServerConfig } from "./server-config.ts";
import { ConfigSource } from "./source.ts";
import type { Environment } from "./source.ts";

/** Some of the keys, with the values they shall have. Lists are replaced whole. */
export type ConfigOverrides = DeepPartial<ServerConfig>;
type DeepPartial<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { readonly [K in keyof T]?: DeepPartial<T[K]> }
    : T;

export interface LoadOptions {
  /** Path of the YAML file. With `text` it is only the name that problems show. */
  readonly file?: string;
  readonly text?: string;
  readonly env: Environment;
  /** Laid over the file and the environment, for command-line flags; checked like the rest. */
  readonly overrides?: ConfigOverrides;
}

const maxFileBytes = 1_048_576;

/**
 * Reads the server's configuration, with every default filled in.
 *
 * @throws ConfigError with all problems at once, each with its line and column.
 */
export function loadServerConfig(options: LoadOptions): ServerConfig {
  const { file, env } = options;
  const text = options.text ?? (file === undefined ? "" : readConfigFile(file));
  const source = new ConfigSource({ file, text, env });
  if (!source.isReadable) {
    throw new ConfigError(source.problems);
  }
  applyEnvironment(source, env);
  applyOverrides(source, [], options.overrides ?? {});

  const config = serverConfig.read(Place.root(source));
  const problems = [...hiddenProblems(options, text, source), ...source.problems];
  if (config === invalid || problems.length > 0) {
    throw new ConfigError(problems);
  }
  return config;
}

/** A wrong value is wrong also while a flag or the environment says something else. */
function hiddenProblems({ file, env }: LoadOptions, text: string, source: ConfigSource): readonly string[] {
  if (!source.hasReplaced) {
    return [];
  }
  const alone = new ConfigSource({ file, text, env });
  serverConfig.read(Place.root(alone));
  return source.hiddenProblems(alone);
}

function readConfigFile(file: string): string {
  try {
    if (statSync(file).size > maxFileBytes) {
      throw new ConfigError([`${file}: is larger than ${maxFileBytes} bytes`]);
    }
    return readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof ConfigError) {
      throw error;
    }
    const reason = error instanceof Error && "code" in error ? String(error.code) : "unknown error";
    throw new ConfigError([`${file}: ${reason === "ENOENT" ? "does not exist" : `cannot be read (${reason})`}`]);
  }
}

function applyEnvironment(source: ConfigSource, env: Environment): void {
  const level = env["RADIUS_LOGGING_LEVEL"];
  if (level) {
    source.set(["logging", "level"], level, "RADIUS_LOGGING_LEVEL");
  }
  const json = env["RADIUS_LOGGING_JSON"];
  if (json) {
    // Anything but the two words stays text, which reading refuses.
    const flags: Readonly<Record<string, boolean>> = { true: true, false: false };
    source.set(["logging", "json"], flags[json.toLowerCase()] ?? json, "RADIUS_LOGGING_JSON");
  }
  const cluster = env["RADIUS_TARGET_KUBECONFIG"];
  const places = ["kubeConfig", "inCluster", "manifests"].map((key) => ["kubernetes", key]);
  if (cluster && !places.some((place) => source.has(place))) {
    source.set(["kubernetes", "kubeConfig"], cluster, "RADIUS_TARGET_KUBECONFIG");
  }
  const publicEndpoint = env["RADIUS_PUBLIC_ENDPOINT_OVERRIDE"];
  if (publicEndpoint) {
    source.set(["kubernetes", "publicEndpoint"], publicEndpoint, "RADIUS_PUBLIC_ENDPOINT_OVERRIDE");
  }
  const endpoint = env["OTEL_EXPORTER_OTLP_ENDPOINT"];
  const endpointPath = ["tracerProvider", "otlp", "endpoint"];
  if (endpoint && !source.has(endpointPath)) {
    source.set(endpointPath, endpoint, "OTEL_EXPORTER_OTLP_ENDPOINT");
  }
}

function applyOverrides(source: ConfigSource, path: readonly string[], values: object): void {
  for (const [key, value] of Object.entries(values)) {
    const at = [...path, key];
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      applyOverrides(source, at, value);
    } else if (value !== undefined) {
      source.set(at, value, "command line");
    }
  }
}
