import { join, resolve } from "node:path";
import type { Client } from "@rad/client";
import { CliError } from "./cli-error.ts";
import type { RadConfig } from "./config/read-workspaces.ts";
import type { Workspace } from "./config/workspace.ts";
import type { CliHost } from "./host.ts";
import type { Output, OutputOptions } from "./output/output.ts";
import { createOutput, parseFormat } from "./output/output.ts";
import { randomHex } from "./random-hex.ts";

/** Options that every command accepts, wherever they stand on the line. */
export interface GlobalOptions {
  readonly config?: string;
  readonly output?: string;
  readonly workspace?: string;
  readonly verbose?: boolean;
  readonly debug?: boolean;
  readonly quiet?: boolean;
  readonly color?: boolean;
}

/** What a command works with. Everything costly is made on first use. */
export interface CommandContext {
  readonly host: CliHost;
  readonly output: Output;
  /** What `-o` asks for if it is a format that only this command has. */
  readonly ownFormat: string | undefined;
  readonly configPath: string;
  /** Links this invocation with the control plane's logs; also printed with errors. */
  readonly traceId: () => string;
  /** Whether questions may be asked. */
  readonly interactive: boolean;
  /** `--no-color` was given. `output/colors.ts` has the colours that are left. */
  readonly noColor: boolean;
  /** `-w` as given. */
  readonly workspaceFlag: string | undefined;
  config(): Promise<RadConfig>;
  /** The workspace named, or the current one. @throws CliError when there is none. */
  workspace(name?: string): Promise<Workspace>;
  client(workspace?: Workspace, options?: ConnectOptions): Promise<Client>;
}

interface ConnectOptions {
  /** Instead of the host's, for what is still to be said after Ctrl+C. */
  readonly signal?: AbortSignal;
  /** Instead of what is found in the environment or on disk. */
  readonly token?: string | undefined;
  /** Authorities in PEM instead of the one that is kept for the workspace; `null` for those that Node trusts. */
  readonly ca?: string | null | undefined;
  /** `false` leaves the workspace's token file alone; `RADIUS_TOKEN` still counts. */
  readonly useTokenFile?: boolean;
}

/** @param ownFormats values of `-o` that only this command has */
export function createContext(
  host: CliHost,
  traceId: () => string,
  globals: GlobalOptions,
  ownFormats: readonly string[] = [],
): CommandContext {
  const { format, own } = parseFormat(globals.output ?? "", ownFormats);
  const options: OutputOptions = {
    format,
    quiet: globals.quiet === true,
    verbose: globals.verbose === true || globals.debug === true,
  };
  const output = createOutput(host, options);
  const configPath =
    globals.config === undefined ? join(host.home, ".rad", "config.yaml") : resolve(host.cwd, globals.config);
  let loaded: Promise<RadConfig> | undefined;

  const context: CommandContext = {
    host,
    output,
    ownFormat: own,
    configPath,
    traceId,
    get interactive() {
      return host.stdin.isTTY === true && host.stderr.isTTY === true;
    },
    noColor: globals.color === false,
    workspaceFlag: globals.workspace,
    config: () => {
      loaded ??= load();
      return loaded;
    },
    workspace: async (name) => {
      const config = await context.config();
      const wanted = (name ?? globals.workspace ?? config.current).toLowerCase();
      if (wanted === "") {
        throw new CliError(
          "NoWorkspace",
          "There is no current workspace. Run `rad server start` for a control plane on this machine, or `rad workspace create server <name> --url <url>` for another one.",
        );
      }
      const workspace = config.workspaces.get(wanted);
      if (workspace === undefined) {
        throw new CliError(
          "WorkspaceNotFound",
          `The workspace "${wanted}" does not exist. Run \`rad workspace list\` to see the workspaces there are.`,
          { missing: { kind: "workspaces", name: wanted } },
        );
      }
      return workspace;
    },
    client: async (given, connection = {}) => connect(context, given ?? (await context.workspace()), connection),
  };
  return context;

  async function load(): Promise<RadConfig> {
    const { loadConfig } = await import("./config/config-file.ts");
    const config = await loadConfig(configPath);
    for (const warning of config.warnings) {
      output.note(`Warning: ${warning}`);
    }
    return config;
  }
}

async function connect(context: CommandContext, workspace: Workspace, connection: ConnectOptions): Promise<Client> {
  const url = workspace.connection.overrides?.ucp;
  if (url === undefined) {
    throw new CliError(
      "KubernetesNotSupported",
      `The workspace "${workspace.name}" goes through a kube context, which this version of rad does not speak. Use \`rad workspace create server <name> --url <url>\` to reach a control plane by its URL.`,
    );
  }
  const [{ createClient }, { findToken, tokenFile }, { cliVersion }] = await Promise.all([
    import("@rad/client"),
    import("./config/tokens.ts"),
    import("./version.ts"),
  ]);
  const { host, configPath } = context;
  const tokenFileName = connection.useTokenFile === false ? undefined : tokenFile(configPath, workspace.name);
  return createClient({
    endpoint: url,
    token: connection.token ?? (await findToken(host.env, tokenFileName)),
    ca: url.startsWith("https:") ? await authorityFor(configPath, workspace, connection.ca) : undefined,
    signal: connection.signal ?? host.signal,
    traceparent: `00-${context.traceId()}-${randomHex(8)}-01`,
    userAgent: `rad/${cliVersion.version}`,
    onAnswer: ({ method, url }, status) => context.output.debug(`${method} ${url.href} ${status}`),
  });
}

async function authorityFor(
  configPath: string,
  { name }: Workspace,
  given: ConnectOptions["ca"],
): Promise<string | undefined> {
  if (given !== undefined) {
    return given ?? undefined;
  }
  const { findAuthority } = await import("./config/authorities.ts");
  return findAuthority(configPath, name);
}
