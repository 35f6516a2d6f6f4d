import type { Command } from "commander";
import { CliError } from "../cli-error.ts";
import type { ContextOf } from "../program.ts";
import { examples } from "../program.ts";
import type { AuditFlags } from "../server/print-audit.ts";
import type { CopyFlags } from "../server/copy-server.ts";
import type { KubeconfigOptions } from "../server/kubeconfig.ts";
import type { TokenFlags } from "../server/renew-token.ts";
import type { ServerFlags } from "../server/run-server.ts";
import type { LogFlags, StopFlags } from "../server/server-actions.ts";

export function defineServer(command: Command, context: ContextOf): void {
  command.hook("preAction", (server, called) => refuseForeignFlags(server, called));
  withServerFlags(command)
    .argument("[unknown...]")
    .usage("[options] [command]")
    .addHelpText(
      "after",
      examples(
        "rad server",
        "rad server --port 0 --data ./radius-data",
        "rad server start",
        "rad server status -o json",
      ),
    )
    .action(async (unknown: readonly string[], flags: ServerFlags) => {
      if (unknown[0] !== undefined) {
        const { nearestName } = await import("@rad/core");
        const nearest = nearestName(
          unknown[0],
          command.commands.map((one) => one.name()),
        );
        const next =
          nearest === undefined ? "Run `rad server --help` to see the commands." : `Did you mean ${nearest}?`;
        throw new CliError("UnknownCommand", `unknown command '${unknown[0]}' for 'rad server'. ${next}`);
      }
      const { runServer } = await import("../server/run-server.ts");
      await runServer(context(), flags);
    });
  withServerFlags(command.command("start"))
    .description("Start a control plane in the background, with a workspace for it")
    .addHelpText("after", examples("rad server start", "rad server start --port 9001 --data ./second -w second"))
    .action(async (_: ServerFlags, self: Command) => {
      const { start } = await import("../server/server-actions.ts");
      await start(context(), self.optsWithGlobals<ServerFlags>());
    });
  withStopFlags(withServerFlags(command.command("restart")))
    .description("Stop the control plane and start it again with the flags it had")
    .addHelpText("after", examples("rad server restart", "rad server restart --port 9001"))
    .action(async (_: ServerFlags, self: Command) => {
      const { restart } = await import("../server/server-actions.ts");
      await restart(context(), self.optsWithGlobals<ServerFlags & StopFlags>());
    });
  withStopFlags(withData(command.command("stop")))
    .description("Stop the control plane; running work finishes, or resumes at the next start")
    .addHelpText("after", examples("rad server stop"))
    .action(async (_: StopFlags, self: Command) => {
      const { stop } = await import("../server/server-actions.ts");
      await stop(context(), self.optsWithGlobals<StopFlags>());
    });
  withData(command.command("status"))
    .description("Show whether the control plane is running, and where")
    .addHelpText("after", examples("rad server status", "rad server status -o json"))
    .action(async (_: ServerFlags, self: Command) => {
      const { status } = await import("../server/server-actions.ts");
      await status(context(), self.optsWithGlobals<ServerFlags>());
    });
  withServerFlags(command.command("check-config"))
    .description("Check a configuration, and the files it names, without starting anything")
    .addHelpText("after", examples("rad server check-config --config-file /etc/radius/server.yaml"))
    .action(async (_: ServerFlags, self: Command) => {
      const { checkConfig } = await import("../server/run-server.ts");
      await checkConfig(context(), self.optsWithGlobals<ServerFlags>());
    });
  withData(command.command("logs"))
    .description("Print the log of a control plane in the background")
    .option("-f, --follow", "go on until Ctrl+C")
    .option("--tail <lines>", "only the last lines")
    .addHelpText("after", examples("rad server logs --tail 50", "rad server logs -f"))
    .action(async (_: LogFlags, self: Command) => {
      const { logs } = await import("../server/server-actions.ts");
      await logs(context(), self.optsWithGlobals<LogFlags>());
    });
  command
    .command("audit")
    .description("Print the audit log as JSON lines, oldest first")
    .option("--after <sequence>", "only records after this one")
    .option("--since <time>", "only records since then: 30m, 12h, 7d, a date, or a time such as 2025-01-31T08:00:00Z")
    .option("--caller <name>", "only what this caller did, such as local-admin")
    .option("--target <id>", "only records about this resource id and everything below it")
    .option("--outcome <result>", "only records with this result, such as Failed; Refused stands for every refusal")
    .addHelpText(
      "after",
      examples(
        "rad server audit --after 1200 > audit.jsonl",
        "rad server audit --since 12h --outcome Refused",
        "rad server audit --target /planes/radius/local/resourceGroups/default",
      ),
    )
    .action(async (flags: AuditFlags) => {
      const { printAudit } = await import("../server/print-audit.ts");
      await printAudit(context(), flags);
    });
  withData(command.command("copy"))
    .description("Copy the data of a stopped control plane from SQLite to an empty PostgreSQL database")
    .option("--config-file <path>", "the configuration that names the PostgreSQL database and its key file")
    .addHelpText("after", examples("rad server copy --config-file /etc/radius/server.yaml"))
    .action(async (_: CopyFlags, self: Command) => {
      const { copyServer } = await import("../server/copy-server.ts");
      await copyServer(context(), self.optsWithGlobals<CopyFlags>());
    });
  withData(command.command("token"))
    .description("Replace the local token of the control plane, or its bootstrap token")
    .option("--renew", "make a new one; the one before is refused from then on")
    .option("--config-file <path>", "the server's configuration (default: that of the server that runs)")
    .addHelpText(
      "after",
      examples("rad server token --renew", "rad server token --renew --config-file /etc/radius/server.yaml"),
    )
    .action(async (_: TokenFlags, self: Command) => {
      const { renewServerToken } = await import("../server/renew-token.ts");
      await renewServerToken(context(), self.optsWithGlobals<TokenFlags>());
    });
  withData(command.command("kubeconfig"))
    .description("Write a kube context that leads to the workspace's control plane, with its token and certificate")
    .option("--kubeconfig <path>", "file to add it to (default: ~/.kube/config)")
    .option("--name <name>", "name of the context (default: radius-<workspace>)")
    .option("--set-current", "make it the current context")
    .option("--stdout", "print a kubeconfig instead, token included")
    .addHelpText("after", examples("rad server kubeconfig", "rad server kubeconfig --stdout > radius.kubeconfig"))
    .action(async (_: KubeconfigOptions, self: Command) => {
      const { writeKubeconfig } = await import("../server/kubeconfig.ts");
      await writeKubeconfig(context(), self.optsWithGlobals<KubeconfigOptions>());
    });
}

/** Flags of `rad server` itself are read wherever they stand, also behind a command that has no use for them. */
function refuseForeignFlags(server: Command, called: Command): void {
  const given = server.options.filter((one) => server.getOptionValueSource(one.attributeName()) === "cli");
  const foreign = given.find(({ long }) => called !== server && !called.options.some((own) => own.long === long));
  if (foreign !== undefined) {
    throw new CliError("InvalidUsage", `unknown option '${foreign.long}' for 'rad server ${called.name()}'`);
  }
}

function withServerFlags(command: Command): Command {
  return withData(command)
    .option("--config-file <path>", "the server's configuration in YAML")
    .option("--port <port>", "port to listen on (default: 9000); 0 takes any that is free")
    .option("--host <address>", "address to listen on (default: 127.0.0.1)");
}

function withStopFlags(command: Command): Command {
  return command
    .option("--timeout <seconds>", "how long to wait for it to end", "60")
    .option("--force", "kill it when it does not end in time");
}

function withData(command: Command): Command {
  return command.option("--data <folder>", "folder for the server's files (default: ~/.rad/server)");
}
