import { freePort } from "@rad/store/testing";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { terminalCommand, withoutControlSequences } from "./terminal.ts";
import type { PrintedStep } from "./printed-commands.ts";

const root = path.join(import.meta.dirname, "..", "..");
const timeoutMs = 240_000;
/** Where pages say that the server listens. Others may use that port on the machine of a test. */
const printedPort = "9000";

export interface RanStep {
  readonly step: PrintedStep;
  readonly output: string;
  /** `undefined` when the shell did not get that far. */
  readonly status: number | undefined;
}

/**
 * Does what a page asks for, in one shell, in an empty home and a folder that has nothing but `examples`. Ends with the
 * first command that does not exit as the page says. A control plane that the page leaves running is stopped.
 */
export async function runSteps(steps: readonly PrintedStep[], { terminal }: { terminal: boolean }): Promise<RanStep[]> {
  const home = await mkdtemp(path.join(tmpdir(), "rad-page-"));
  await using cleanup = new AsyncDisposableStack();
  cleanup.defer(() => rm(home, { recursive: true, force: true, maxRetries: 5 }));
  const folder = path.join(home, "work");
  const bin = path.join(home, "bin");
  await mkdir(folder);
  await mkdir(bin);
  await symlink(path.join(root, "rad"), path.join(bin, "rad"));
  await cp(path.join(root, "examples"), path.join(folder, "examples"), { recursive: true });
  const env = {
    ...process.env,
    HOME: home,
    PATH: `${bin}${path.delimiter}${process.env["PATH"]}`,
    RADIUS_TOKEN: undefined,
    NO_COLOR: undefined,
    TERM: terminal ? "xterm" : "dumb",
  };
  const script = path.join(home, "page.sh");
  const serverFlags = await mirrorFlags(steps, home, cleanup);
  const serverEnv = await gitVariables(steps, cleanup);
  const port = String(await freePort());
  const marks = path.join(home, "marks");
  await writeFile(script, scriptOf(steps, { port, marks, terminal, serverFlags, serverEnv }));
  cleanup.defer(async () => void (await run(["rad", "server", "stop", "--force"], { env, cwd: folder })));

  const command = terminal ? terminalCommand(`sh '${script}'`) : ["sh", script];
  const output = await run(command, { env, cwd: folder });

  const text = (terminal ? withoutControlSequences(output) : output).replaceAll(`:${port}`, `:${printedPort}`);
  const statuses = (await readFile(marks, "utf8").catch(() => "")).trim().split("\n");
  const outputs = text.split(mark).slice(1);
  return steps.map((step, index) => ({
    step,
    output: (outputs[index] ?? "").replace(/^\n/, "").replaceAll(home, "~"),
    status: statuses[index] === undefined || statuses[index] === "" ? undefined : Number(statuses[index]),
  }));
}

const mark = "\u0001step\u0001";

/** A page that installs Terraform gets it from a mirror of this machine, as the server's configuration says. */
async function mirrorFlags(
  steps: readonly PrintedStep[],
  home: string,
  cleanup: AsyncDisposableStack,
): Promise<readonly string[]> {
  if (!steps.some((step) => step.kind === "command" && step.command.startsWith("rad terraform install"))) {
    return [];
  }
  const [{ startReleaseMirror }, { realTerraform }] = await Promise.all([
    import("@rad/terraform/testing"),
    import("@rad/terraform/testing/real-binaries"),
  ]);
  const mirror = cleanup.use(await startReleaseMirror());
  await mirror.publishReal(await realTerraform());
  const file = path.join(home, "server.yaml");
  await writeFile(file, JSON.stringify({ terraform: { installer: mirror.settings } }));
  return ["--config-file", file];
}

const privateRepository = "git.example.com/platform/databases.git";

/** A page that names the private repository finds it on this machine, with the module of the examples. */
async function gitVariables(
  steps: readonly PrintedStep[],
  cleanup: AsyncDisposableStack,
): Promise<Readonly<Record<string, string>>> {
  if (!steps.some((step) => step.kind === "command" && step.command.includes(privateRepository))) {
    return {};
  }
  const { startGitServer } = await import("@rad/terraform/testing");
  const git = cleanup.use(await startGitServer({ hosts: ["git.example.com"] }));
  const module = await readFile(path.join(root, "examples", "terraform-recipe", "module", "main.tf"), "utf8");
  await git.repository("/platform/databases.git", { "main.tf": module });
  git.allow({ token: "not-a-real-token" });
  return git.env;
}

interface ScriptOptions {
  readonly port: string;
  /** Of `rad server start`. */
  readonly serverEnv: Readonly<Record<string, string>>;
  /** For `rad server start`, besides its port. */
  readonly serverFlags: readonly string[];
  /** The file that gets the exit code of each step. */
  readonly marks: string;
  readonly terminal: boolean;
}

function scriptOf(
  steps: readonly PrintedStep[],
  { port, marks, terminal, serverFlags, serverEnv }: ScriptOptions,
): string {
  const variables = Object.entries(serverEnv).map(([name, value]) => `${name}='${value}' `);
  const lines = [terminal ? "stty -echo cols 120 rows 50" : "exec 2>&1 </dev/null"];
  for (const step of steps) {
    lines.push(`printf '${mark}\\n'`);
    if (step.kind === "file") {
      lines.push(
        `mkdir -p '${path.dirname(step.name)}'`,
        `cat > '${step.name}' <<'END OF FILE'\n${step.text}END OF FILE`,
      );
    } else {
      const prefix = step.command.startsWith("rad server start") ? variables.join("") : "";
      lines.push(`${prefix}${withFlags(step.command, port, serverFlags)}`);
    }
    const expected = step.kind === "file" ? 0 : step.status;
    lines.push(`status=$?; echo $status >> '${marks}'; [ $status = ${expected} ] || exit 1`);
  }
  return `${lines.join("\n")}\n`;
}

function withFlags(command: string, port: string, serverFlags: readonly string[]): string {
  const flags = ["--port", port, ...serverFlags].join(" ");
  return command.replaceAll(`:${printedPort}`, `:${port}`).replaceAll(/\brad server start\b/g, `$& ${flags}`);
}

interface RunOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
}

/** @returns everything it wrote. Ends what it started, and what that started, when it takes too long. */
async function run([program = "", ...parameters]: readonly string[], { env, cwd }: RunOptions): Promise<string> {
  // Standard input stays open: the end of it would be the end of a terminal.
  const child = spawn(program, parameters, { env, cwd, stdio: ["pipe", "pipe", "pipe"], detached: true });
  let output = "";
  const collect = (chunk: string): void => {
    output += chunk;
  };
  child.stdout.setEncoding("utf8").on("data", collect);
  child.stderr.setEncoding("utf8").on("data", collect);
  const timer = setTimeout(() => {
    output += "\n(took too long)\n";
    process.kill(-(child.pid ?? 0), "SIGKILL");
  }, timeoutMs);
  await once(child, "close"); // a server in the background holds neither of its streams
  clearTimeout(timer);
  return output;
}
