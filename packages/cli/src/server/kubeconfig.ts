import { open, readFile, rm } from "node:fs/promises";
import { delimiter, dirname, join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Document, YAMLSeq } from "yaml";
import { isMap, isSeq, parseDocument } from "yaml";
import { CliError, systemCode } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import { makeFolder, writeFileAtomically } from "@rad/artifacts/files";
import { findToken, tokenFile } from "../config/tokens.ts";

export interface KubeconfigOptions {
  readonly kubeconfig?: string;
  readonly name?: string;
  readonly setCurrent?: boolean;
  readonly stdout?: boolean;
}

interface Entry {
  readonly name: string;
  readonly server: string;
  readonly token: string | undefined;
  readonly current: boolean;
}

const emptyConfig = "apiVersion: v1\nkind: Config\npreferences: {}\nclusters: []\nusers: []\ncontexts: []\n";
const lockRetryMs = 100;
const lockTries = 50;

/**
 * Writes a kube context whose API server is the control plane. Programs that reach Radius through Kubernetes, such as
 * upstream's `rad`, then reach this one and send its token.
 */
export async function writeKubeconfig(context: CommandContext, options: KubeconfigOptions): Promise<void> {
  const { host } = context;
  const workspace = await context.workspace();
  const server = workspace.connection.overrides?.ucp;
  if (server === undefined) {
    throw new CliError("KubernetesNotSupported", `The workspace "${workspace.name}" has a kube context already.`);
  }
  const token = await findToken(host.env, tokenFile(context.configPath, workspace.name));
  const name = options.name ?? `radius-${workspace.name}`;
  const entry: Entry = { name, server, token, current: options.setCurrent === true || options.stdout === true };
  if (options.stdout === true) {
    context.output.write(merge("", entry, "stdout"));
    return;
  }
  const file = kubeconfigPath(context, options);
  await makeFolder(dirname(file));
  await using _ = await lockLikeKubectl(file);
  const before = await readFile(file, "utf8").catch((error: unknown) => {
    if (systemCode(error) === "ENOENT") {
      return "";
    }
    throw new CliError("FileUnreadable", `${file} cannot be read (${systemCode(error) ?? "unknown error"}).`);
  });
  await writeFileAtomically(file, merge(before, entry, file), { mode: 0o600, forceMode: true });
  context.output.done(`Kube context ${name} written to ${file}`, { context: name, kubeconfig: file });
}

function kubeconfigPath(context: CommandContext, options: KubeconfigOptions): string {
  const { host } = context;
  const fromEnvironment = (host.env["KUBECONFIG"] ?? "").split(delimiter).find((path) => path !== "");
  const given = options.kubeconfig ?? fromEnvironment;
  return given === undefined ? join(host.home, ".kube", "config") : resolve(host.cwd, given);
}

/** Adds or replaces the three entries called `entry.name`; everything else keeps its text. */
function merge(text: string, entry: Entry, file: string): string {
  const document = parseDocument(text.trim() === "" ? emptyConfig : text);
  const [problem] = document.errors;
  if (problem !== undefined || !isMap(document.contents)) {
    const reason = problem === undefined ? "it is not a mapping" : (problem.message.split("\n")[0] ?? problem.code);
    throw new CliError("InvalidKubeconfig", `${file} is not a kubeconfig: ${reason}`);
  }
  const { name, server, token } = entry;
  upsert(document, "clusters", { name, cluster: { server } });
  upsert(document, "users", { name, user: token === undefined ? {} : { token } });
  upsert(document, "contexts", { name, context: { cluster: name, user: name } });
  if (entry.current) {
    document.set("current-context", name);
  }
  return document.toString({ lineWidth: 0 });
}

function upsert(document: Document, section: string, item: Readonly<Record<string, unknown>>): void {
  let list = document.get(section);
  if (!isSeq(list)) {
    list = document.createNode([]);
    document.set(section, list);
  }
  const items = (list as YAMLSeq).items;
  const node = document.createNode(item);
  const index = items.findIndex((other) => isMap(other) && other.get("name") === item["name"]);
  (list as YAMLSeq).flow = false;
  if (index < 0) {
    items.push(node);
  } else {
    items[index] = node;
  }
}

/** kubectl's own protocol: a file that exists while somebody writes, and that must not be left behind. */
async function lockLikeKubectl(file: string): Promise<AsyncDisposable> {
  const path = `${file}.lock`;
  for (let attempt = 0; attempt < lockTries; attempt += 1) {
    try {
      await (await open(path, "wx", 0o600)).close();
      return { [Symbol.asyncDispose]: () => rm(path, { force: true }) };
    } catch (error) {
      if (systemCode(error) !== "EEXIST") {
        throw new CliError("FileNotWritable", `${path} cannot be written (${systemCode(error) ?? "unknown error"}).`);
      }
    }
    await delay(lockRetryMs);
  }
  throw new CliError("Locked", `${file} is being changed by another program. If none is running, delete ${path}.`);
}
