import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { Readable } from "node:stream";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import type { CliHost } from "../host.ts";
import { stdoutColors } from "../output/colors.ts";
import { runCli } from "../run-cli.ts";
import { applicationText, manifestText } from "./demo-files.ts";
import { findKubeConfig } from "./find-kube-config.ts";
import { installerSettings } from "./installer-settings.ts";
import { showRecipe } from "./show-recipe.ts";
import { showTerraform } from "./show-terraform.ts";

export interface DemoOptions {
  readonly keep?: boolean;
  readonly kubeContext?: string;
  readonly configFile?: string;
}

/**
 * A control plane from nothing to an application and back to nothing, shown as the commands that a user would type. All of
 * it happens in a temporary folder, on a free port; the user's own configuration is neither read nor changed. A cluster is
 * touched only if its context is named.
 */
export async function runDemo(context: CommandContext, { keep, kubeContext, configFile }: DemoOptions): Promise<void> {
  const { host, output } = context;
  const colors = stdoutColors(context);
  const say = (line: string) => output.result(colors.bold(line));
  const kubeConfig = kubeContext === undefined ? undefined : await findKubeConfig(host, kubeContext);
  const installer = await installerSettings(host, configFile);
  const folder = await mkdtemp(join(tmpdir(), "rad-demo-"));
  const manifests = join(folder, "manifests");
  const target = kubeConfig === undefined ? { manifests } : { kubeConfig, context: kubeContext };
  try {
    say(`A control plane in ${folder}, on an embedded database.\n`);
    await writeFile(join(folder, "queues.yaml"), manifestText);
    await writeFile(join(folder, "app.bicep"), applicationText);
    const { defaultModules, loadServerConfig, startServer } = await import("@rad/control-plane");
    const config = loadServerConfig({
      env: {},
      overrides: {
        server: { host: "127.0.0.1", port: 0 },
        databaseProvider: { provider: "sqlite", sqlite: { directory: join(folder, "server") } },
        kubernetes: target,
        terraform: { installer },
        logging: { level: "error" },
      },
    });
    await using server = await startServer({ config, modules: defaultModules(config) });
    const run = createRunner(host, folder);
    await run("workspace", "create", "server", "demo", "--url", server.url, "--token-file", server.tokenFile ?? "-");

    say("\nA resource type is data: a name, a version and a schema.\n");
    await run("resource-type", "create", "--from-file", "queues.yaml");
    await run("resource-type", "show", "Radius.Demo/queues");
    await run("group", "create", "demo");
    await run("group", "switch", "demo");
    const hasMirror = installer.defaultSourceUrl !== undefined;
    const hasTerraform = await showTerraform({ host, folder, hasMirror, say, run: run.code });

    say("\nAn application is Bicep. What would deploying this one do?\n");
    output.result(applicationText);
    const deploy = ["deploy", "app.bicep", "--parameters", "accessKey=a value that will not come back"] as const;
    await run(...deploy, "--what-if");

    await using open = new AsyncDisposableStack();
    say("\nThat looks right, so deploy it.\n");
    try {
      await run(...deploy);
      await run("resource", "show", "queues", "orders", "-o", "json");
      await run("app", "graph", "shop");
      if (kubeConfig === undefined) {
        say(`Kubernetes objects go to a folder unless a cluster is named. These are in ${manifests} now:\n`);
        await printManifests(context, manifests);
      }

      say("\nOne more parameter adds one more container; the others stay as they are.\n");
      await run(...deploy, "--parameters", "withWorker=true", "--what-if");
      if (hasTerraform) {
        open.use(await showRecipe({ folder, say, print: (text) => output.result(text), run: run.code }));
      }

      say("\nDelete everything again.\n");
    } finally {
      // Nothing is left in a cluster, also when something went wrong or was interrupted.
      await createRunner(kubeConfig === undefined ? host : uninterrupted(host), folder)(
        "group",
        "delete",
        "demo",
        "--yes",
      );
    }
  } finally {
    if (keep === true) {
      output.note(`The folder ${folder} was kept.`);
    } else {
      await rm(folder, { recursive: true, force: true });
    }
  }
  say("\nDone; everything has been removed. Run `rad server start` for a control plane that stays.");
}

/** The names of all files, and the text of the first Deployment. */
async function printManifests({ output }: CommandContext, folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.name.endsWith(".yaml"));
  const paths = files.map(({ parentPath, name }) => join(parentPath, name)).sort();
  for (const path of paths) {
    output.result(`  ${relative(folder, path)}`);
  }
  const deployment = paths.find((path) => /deployment/i.test(path));
  if (deployment !== undefined) {
    output.result(`\n${await readFile(deployment, "utf8")}`);
  }
}

interface Runner {
  /** @throws CliError when the command fails */
  (...args: readonly string[]): Promise<void>;
  /** Runs a command that may fail. @returns its exit code */
  readonly code: (...args: readonly string[]) => Promise<number>;
}

function uninterrupted(host: CliHost): CliHost {
  return { ...host, signal: new AbortController().signal };
}

/** Runs `rad` as if in `folder`, showing each command line before what it prints. */
function createRunner(host: CliHost, folder: string): Runner {
  const inFolder: CliHost = {
    ...host,
    env: {},
    cwd: folder,
    home: folder,
    stdin: Readable.from([]),
  };
  const code = async (...args: readonly string[]) => {
    host.signal.throwIfAborted();
    host.stdout.write(`$ rad ${args.map(quote).join(" ")}\n`);
    const ended = await runCli(args, inFolder);
    host.signal.throwIfAborted();
    return ended;
  };
  const run = async (...args: readonly string[]) => {
    const ended = await code(...args);
    if (ended !== 0) {
      throw new CliError("DemoFailed", `\`rad ${args.join(" ")}\` ended with ${ended}; see above.`);
    }
  };
  return Object.assign(run, { code });
}

function quote(arg: string): string {
  return /^[\w@%+=:,./-]+$/.test(arg) ? arg : `'${arg.replaceAll("'", `'\\''`)}'`;
}
