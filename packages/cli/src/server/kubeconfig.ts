import { open, readFile, rm } from "node:fs/promises";
import { delimiter, dirname, join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Document, YAMLSeq } from "yaml";
import { isMap, isSeq, parseDocument } from "yaml";
import { CliError, systemCode } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import { makeFolder, writeFileAtomically } from "@rad/artifacts/files";
import { findAuthority } from "../config/authorities.ts";
import { findToken, tokenFile } from "../config/tokens.ts";
import type { Workspace } from "../config/workspace.ts";
import { dataFolder } from "./data-folder.ts";
import { findServer } from "./find-server.ts";

export interface KubeconfigOptions {
  readonly kubeconfig?: string;
  readonly name?: string;
  readonly setCurrent?: boolean;
  readonly stdout?: boolean;
  readonly data?: string;
}

/** Where a client goes, and which authority's certificate it accepts there, in PEM. */
interface Cluster {
  readonly server: string;
  readonly ca: string | undefined;
}

interface Entry extends Cluster {
  readonly name: string;
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
  if (workspace.connection.overrides === undefined) {
    throw new CliError("KubernetesNotSupported", `The workspace "${workspace.name}" has a kube context already.`);
  }
  const token = await findToken(host.env, tokenFile(context.configPath, workspace.name));
  const name = options.name ?? `radius-${workspace.name}`;
  const cluster = await clusterAt(context, workspace, options.data);
  const entry: Entry = { ...cluster, name, token, current: options.setCurrent === true || options.stdout === true };
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

/** client-go sends no token over plain HTTP, so a server of this machine is addressed at its listener with TLS. */
async function clusterAt(context: CommandContext, workspace: Workspace, data: string | undefined): Promise<Cluster> {
  const url = workspace.connection.overrides?.ucp ?? "";
  if (url.startsWith("https:")) {
    return { server: url, ca: findAuthority(context.configPath, workspace.name) };
  }
  const server = await findServer(dataFolder(context.host, data));
  if (server?.url === url && server.loopbackTls !== undefined) {
    const { url: tlsUrl, caFile } = server.loopbackTls;
    return { server: tlsUrl, ca: await readFile(caFile, "utf8") };
  }
  context.output.note(
    `Warning: ${url} is plain HTTP, over which kubectl and other programs built on client-go send no token. ` +
      "For a server on this machine run `rad server start` first, and give its folder with `--data` if it is not the usual one.",
  );
  return { server: url, ca: undefined };
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
  const { name, server, ca, token } = entry;
  const trust = ca === undefined ? {} : { "certificate-authority-data": Buffer.from(ca).toString("base64") };
  upsert(document, "clusters", { name, cluster: { server, ...trust } });
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
