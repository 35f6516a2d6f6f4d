import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { test } from "node:test";
import { PassThrough } from "node:stream";
import { promisify } from "node:util";
import type { Command } from "commander";
import { startTestServer } from "@rad/client/testing";
import { buildProgram, commandGroups } from "./program.ts";
import { runCli } from "./run-cli.ts";
import { sourceCommit } from "./source-commit.ts";
import { createSandbox } from "./testing/sandbox.ts";
import { cliVersion } from "./version.ts";

const main = fileURLToPath(new URL("./main.ts", import.meta.url));
const run = promisify(execFile);

interface FoundCommand {
  readonly path: readonly string[];
  /** The path with aliases: `(application|app) list`. */
  readonly pattern: string;
  readonly command: Command;
}

async function allCommands(): Promise<FoundCommand[]> {
  const program = await buildProgram([], () => assert.fail("help needs no context"), true);
  const found: FoundCommand[] = [];
  const visit = (command: Command, path: readonly string[], pattern: string) => {
    for (const child of command.commands) {
      const names = `${pattern} (${[child.name(), ...child.aliases()].join("|")})`;
      found.push({ path: [...path, child.name()], pattern: names, command: child });
      visit(child, [...path, child.name()], names);
    }
  };
  visit(program, [], "rad");
  return found.filter(({ path }) => path[0] !== "complete");
}

test("every command has a description, and every one that does something an example", async () => {
  await using sandbox = await createSandbox();
  for (const { path, pattern, command } of await allCommands()) {
    const { code, stdout, stderr } = await sandbox.rad([...path, "--help"]);

    assert.deepEqual({ code, stderr }, { code: 0, stderr: "" });
    assert.notEqual(command.description(), "", path.join(" "));
    if (command.commands.length === 0) {
      assert.match(stdout, new RegExp(`Examples:\\n(.|\\n)*${pattern}`), path.join(" "));
    }
  }
});

test("rad help <command> is the same as rad <command> --help", async () => {
  await using sandbox = await createSandbox();
  for (const { name } of commandGroups.filter((group) => group.hidden !== true)) {
    assert.deepEqual(await sandbox.rad(["help", name]), await sandbox.rad([name, "--help"]));
  }
});

test("rad alone and a group alone show help and succeed", async () => {
  await using sandbox = await createSandbox();
  for (const args of [[], ["group"], ["resource"], ["workspace", "-o", "json"]]) {
    const { code, stdout, stderr } = await sandbox.rad(args);

    assert.deepEqual({ code, stderr }, { code: 0, stderr: "" });
    assert.match(stdout, /^Usage: rad/);
  }
});

for (const [args, hint] of [
  [["grup"], /Did you mean group\?/],
  [["resource", "lst"], /Did you mean list\?/],
  [["server", "strat"], /unknown command 'strat' for 'rad server'\. Did you mean start\?/],
] as const) {
  test(`rad ${args.join(" ")} fails and suggests`, async () => {
    await using sandbox = await createSandbox();

    const { code, stdout, stderr } = await sandbox.rad(args);

    assert.equal(code, 1);
    assert.equal(stdout, "");
    assert.match(stderr, hint);
    assert.match(stderr, /Code: {2}UnknownCommand\n\n$/);
    assert.doesNotMatch(stderr, /Usage:/);
  });
}

test("rad version --cli is the same from the short path and from the command", async () => {
  await using sandbox = await createSandbox();

  const short = await run(process.execPath, [main, "version", "--cli"]);
  const long = await sandbox.rad(["version", "--cli"]);
  const json = await sandbox.rad(["version", "--cli", "-o", "json"]);

  assert.equal(short.stdout, long.stdout);
  assert.ok(long.stdout.endsWith(`${sourceCommit() ?? "unknown"}\n`));
  assert.match(long.stdout, /^RELEASE +VERSION +BICEP +COMMIT\n/);
  assert.deepEqual(Object.keys(JSON.parse(json.stdout) as object), ["release", "version", "bicep", "commit"]);
});

test("rad version never fails because of the control plane", async () => {
  await using sandbox = await createSandbox();
  await using server = await startTestServer();
  const without = JSON.parse((await sandbox.rad(["version", "-o", "json"])).stdout) as Record<string, unknown>;
  await sandbox.rad(["workspace", "create", "server", "a", "--url", server.url]);
  await server[Symbol.asyncDispose]();

  const away = await sandbox.rad(["version"]);

  assert.deepEqual(Object.keys(without), ["cli", "controlPlane"]);
  assert.deepEqual((without["controlPlane"] as { status: string }).status, "Not installed");
  assert.equal(away.code, 0);
  assert.match(away.stdout, /^STATUS +VERSION\nNot connected +/m);
});

test("the trace id of an error is the one that was sent", async () => {
  await using sandbox = await createSandbox();
  await using server = await startTestServer({
    intercept: (request, response) => {
      if (request.method === "PUT") {
        response.writeHead(409).end('{"error":{"code":"Conflict","message":"busy\\u001b[2J"}}');
      }
      return request.method === "PUT";
    },
  });
  await sandbox.rad(["workspace", "create", "server", "a", "--url", server.url]);

  const { stderr } = await sandbox.rad(["group", "create", "dev"]);

  const [, traceId] = String(server.requests.at(-1)?.headers["traceparent"]).split("-");
  assert.equal(stderr, `Error: busy\nCode:  Conflict\n\nTraceId:  ${traceId}\n\n`);
});

test("Ctrl+C ends a waiting command with 130", async () => {
  await using sandbox = await createSandbox();
  const interrupt = new AbortController();
  await using server = await startTestServer({
    intercept: (request) => {
      if (request.path.includes("resourceGroups")) {
        interrupt.abort(new Error("SIGINT"));
        return true;
      }
      return false;
    },
  });
  await sandbox.rad(["workspace", "create", "server", "a", "--url", server.url]);

  const { code } = await sandbox.rad(["group", "list"], { signal: interrupt.signal });

  assert.equal(code, 130);
});

test("a reader that leaves early is no error", async () => {
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", main, "--help"], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  child.stdout.destroy();
  let stderr = "";
  child.stderr.on("data", (chunk) => {
    stderr += String(chunk);
  });

  const [code] = (await once(child, "exit")) as [number];

  assert.equal(code, 0);
  assert.equal(stderr, "");
});

if (process.platform === "linux") {
  test("output that cannot be written is one line and a failure; what cannot be said is not", async () => {
    const rad = (args: string, env = {}) =>
      run("/bin/sh", ["-c", `"$NODE" --disable-warning=ExperimentalWarning "$MAIN" ${args}`], {
        env: { ...process.env, NODE: process.execPath, MAIN: main, ...env },
      }).then(
        () => ({ code: 0, stderr: "" }),
        (error: { code: number; stderr: string }) => error,
      );

    const lost = await rad("--help > /dev/full");
    const unsaid = await rad("no-such-command 2> /dev/full");

    assert.equal(lost.code, 1);
    assert.match(lost.stderr, /^Error: The output cannot be written: ENOSPC.*\nCode: {2}OutputNotWritable\n\n$/);
    assert.equal(unsaid.code, 1);
    assert.equal(unsaid.stderr, "");
  });
}

test("--quiet silences what is not a result, --verbose shows the requests", async () => {
  await using sandbox = await createSandbox();
  await using server = await startTestServer();
  await sandbox.rad(["workspace", "create", "server", "a", "--url", server.url]);

  const quiet = await sandbox.rad(["group", "create", "dev", "--quiet"]);
  const verbose = await sandbox.rad(["--verbose", "group", "create", "dev"]);

  assert.deepEqual(quiet, { code: 0, stdout: "", stderr: "" });
  assert.match(verbose.stderr, /^PUT http:.*resourceGroups\/dev\?api-version=\S+ 200$/m);
});

test("colours are for terminals, and for those who want them", async () => {
  const errorOf = async (args: readonly string[], env: Record<string, string>, isTTY: boolean) => {
    let text = "";
    const stderr = Object.assign(new PassThrough(), { isTTY });
    stderr.on("data", (chunk) => {
      text += String(chunk);
    });
    const signal = new AbortController().signal;
    const io = { stdin: new PassThrough(), stdout: new PassThrough(), stderr };
    await runCli(["group", "show", "--config", "/nonexistent/config.yaml", ...args], {
      env,
      cwd: "/",
      home: "/",
      signal,
      ...io,
    });
    return text.startsWith("\u001b[31m");
  };

  assert.equal(await errorOf([], {}, true), true);
  assert.equal(await errorOf([], {}, false), false);
  assert.equal(await errorOf(["--no-color"], {}, true), false);
  assert.equal(await errorOf([], { NO_COLOR: "1" }, true), false);
});

test("Ctrl+C at a question ends with 130, and changes nothing", async () => {
  await using sandbox = await createSandbox();
  await using server = await startTestServer();
  await sandbox.rad(["workspace", "create", "server", "a", "--url", server.url]);
  const keyboard = new PassThrough();
  let isAsked = false;

  const { code, stderr } = await sandbox.rad(["workspace", "delete", "a"], {
    keyboard,
    onOutput: (text) => {
      if (!isAsked && text.includes("Yes")) {
        isAsked = true;
        setImmediate(() => keyboard.write("\u0003"));
      }
    },
  });

  assert.equal(code, 130);
  assert.match(stderr, /Cancelled; nothing was changed\.\n$/);
  assert.match((await sandbox.rad(["workspace", "list"])).stdout, /^a /m);
});

for (const [args, lines] of [
  [
    ["deploy"],
    ["missing required argument 'file'", "Usage:   rad deploy [options] <file>", "Example: rad deploy app.bicep"],
  ],
  [
    ["resource", "show", "queues"],
    [
      "missing required argument 'name'",
      "Usage:   rad resource show [options] <type> <name>",
      "Example: rad resource show Contoso.Data/queues orders -o json",
    ],
  ],
  [
    ["resource", "create", "queues", "orders"],
    [
      "required option '-f, --from-file <path>' not specified",
      "Usage:   rad resource create [options] <type> <name>",
      "Example: rad resource create Contoso.Data/queues orders -f queue.json",
    ],
  ],
] as const) {
  test(`rad ${args.join(" ")} says what is missing, with usage and example`, async () => {
    await using sandbox = await createSandbox();

    const { code, stdout, stderr } = await sandbox.rad(args);

    assert.deepEqual({ code, stdout }, { code: 1, stdout: "" });
    assert.equal(stderr, `${lines.join("\n")}\nCode:  InvalidUsage\n\n`);
  });
}

test("help for a command that does not exist is an error with a suggestion", async () => {
  await using sandbox = await createSandbox();
  for (const [args, hint] of [
    [["help", "deplyo"], /^unknown command 'deplyo'\. Did you mean deploy\?\nCode: {2}UnknownCommand/],
    [["foobarbaz", "--help"], /^unknown command 'foobarbaz'\. Run `rad --help` to see the commands\.\n/],
  ] as const) {
    const { code, stdout, stderr } = await sandbox.rad(args);

    assert.deepEqual({ code, stdout }, { code: 1, stdout: "" });
    assert.match(stderr, hint);
  }
});

test("the help of a subcommand lists each option once", async () => {
  await using sandbox = await createSandbox();

  const { stdout } = await sandbox.rad(["server", "restart", "--help"]);

  assert.equal(stdout.match(/^ {2}--data /gm)?.length, 1, stdout);
  assert.match(stdout, /Global Options:\n[^]*-w, --workspace <name>/);
});

test("rad --version is one line", async () => {
  await using sandbox = await createSandbox();

  assert.deepEqual(await sandbox.rad(["--version"]), { code: 0, stdout: `rad ${cliVersion.version}\n`, stderr: "" });
});

test("the help of every command shows the global options", async () => {
  await using sandbox = await createSandbox();

  const { stdout } = await sandbox.rad(["group", "list", "--help"]);

  assert.match(stdout, /Global Options:\n[^]*-o, --output <format>[^]*-w, --workspace <name>/);
});

test("a flag of rad server is refused behind a command that has no use for it", async () => {
  await using sandbox = await createSandbox();

  const ignored = await sandbox.rad(["server", "stop", "--port", "1"]);
  const used = await sandbox.rad(["server", "status", "--data", "elsewhere", "-o", "json"]);

  assert.equal(ignored.code, 1);
  assert.match(ignored.stderr, /unknown option '--port' for 'rad server stop'/);
  assert.match(used.stdout, /elsewhere/);
});
