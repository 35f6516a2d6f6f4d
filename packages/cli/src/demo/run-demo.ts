import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import type { CliHost } from "../host.ts";
import { stdoutColors } from "../output/colors.ts";
import { runCli } from "../run-cli.ts";
import { applicationText, manifestText, moduleText } from "./demo-files.ts";

/**
 * A control plane from nothing to an application and back to nothing, shown as the commands that a user would type. All of
 * it happens in a temporary folder, on a free port; the user's own configuration is neither read nor changed.
 */
export async function runDemo(context: CommandContext, keep: boolean): Promise<void> {
  const { host, output } = context;
  const colors = stdoutColors(context);
  const say = (line: string) => output.result(colors.bold(line));
  const folder = await mkdtemp(join(tmpdir(), "rad-demo-"));
  try {
    say(`A control plane in ${folder}, on an embedded database.\n`);
    await writeFile(join(folder, "queues.yaml"), manifestText);
    await writeFile(join(folder, "app.bicep"), applicationText);
    await writeFile(join(folder, "queue.bicep"), moduleText);
    const { defaultModules, loadServerConfig, startServer } = await import("@rad/control-plane");
    const config = loadServerConfig({
      env: {},
      overrides: {
        server: { host: "127.0.0.1", port: 0 },
        databaseProvider: { provider: "sqlite", sqlite: { directory: join(folder, "server") } },
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

    say("\nAn application is Bicep. What would deploying this one do?\n");
    output.result(applicationText);
    const deploy = ["deploy", "app.bicep", "--parameters", "accessKey=a value that will not come back"] as const;
    await run(...deploy, "--what-if");

    say("\nThat looks right, so deploy it.\n");
    await run(...deploy);
    await run("resource", "list", "Radius.Demo/queues");
    await run("resource", "show", "queues", "orders", "-o", "json");

    say("\nOne more parameter adds one more resource; the others stay as they are.\n");
    await run(...deploy, "--parameters", "audited=true", "--what-if");

    say("\nDelete everything again.\n");
    await run("group", "delete", "demo", "--yes");
  } finally {
    if (keep) {
      output.note(`The folder ${folder} was kept.`);
    } else {
      await rm(folder, { recursive: true, force: true });
    }
  }
  say("\nDone; everything has been removed. Run `rad server start` for a control plane that stays.");
}

type Runner = (...args: readonly string[]) => Promise<void>;

/** Runs `rad` as if in `folder`, showing each command line before what it prints. */
function createRunner(host: CliHost, folder: string): Runner {
  const inFolder: CliHost = {
    ...host,
    env: {},
    cwd: folder,
    home: folder,
    stdin: Readable.from([]),
  };
  return async (...args) => {
    host.signal.throwIfAborted();
    host.stdout.write(`$ rad ${args.map(quote).join(" ")}\n`);
    const code = await runCli(args, inFolder);
    host.signal.throwIfAborted();
    if (code !== 0) {
      throw new CliError("DemoFailed", `\`rad ${args.join(" ")}\` ended with ${code}; see above.`);
    }
  };
}

function quote(arg: string): string {
  return /^[\w@%+=:,./-]+$/.test(arg) ? arg : `'${arg.replaceAll("'", `'\\''`)}'`;
}
