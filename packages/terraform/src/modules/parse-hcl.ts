import { hash } from "node:crypto";
import path from "node:path";
import { Worker } from "node:worker_threads";
import { compileCacheVariable } from "../compile-cache.ts";
import { ModuleError } from "./module-error.ts";

export interface HclSource {
  readonly name: string;
  readonly text: string;
}

/** The JSON form of a file, or what is wrong with it and where. */
export type ParsedHcl = { readonly json: string } | { readonly error: string };

/** Parsing takes milliseconds. A file that takes this long was written to take long, however busy the machine is. */
const timeoutMs = 180_000;

/** In the bundle the thread's program lies beside the chunks. */
const program = import.meta.filename.endsWith(".ts")
  ? path.join(import.meta.dirname, "hcl-worker.ts")
  : path.join(import.meta.dirname, "..", "terraform-hcl.mjs");

/** What was parsed before, by the hash of the texts: modules change rarely, and a thread costs 0.1 s. */
const known = new Map<string, readonly ParsedHcl[]>();
const mostKnownCharacters = 4 << 20;
let knownCharacters = 0;

/** What is being parsed, for whoever asks for the same meanwhile. */
const underWay = new Map<string, Promise<readonly ParsedHcl[]>>();

/** A thread that waits for a module, which is being fetched. */
let spare: Worker | undefined;
const spareMs = 10_000;

/**
 * Parses files in the native syntax of Terraform, in a thread: a module is somebody else's text, and neither a deep one
 * nor a long one may stop the server. The thread ends with the module, and gives its memory back.
 * @throws ModuleError `ModuleUnreadable` when the parser gives up
 */
export async function parseHcl(sources: readonly HclSource[]): Promise<readonly ParsedHcl[]> {
  if (sources.length === 0) {
    return [];
  }
  const key = hash("sha256", JSON.stringify(sources.map(({ name, text }) => [name, text])));
  const found = known.get(key) ?? underWay.get(key);
  if (found !== undefined) {
    return await found;
  }
  const parsing = parseInThread(sources).finally(() => underWay.delete(key));
  underWay.set(key, parsing);
  const parsed = await parsing;
  remember(key, parsed);
  return parsed;
}

/** Ends the thread after one module: that is untrusted input, which may leave the parser in any state. */
async function parseInThread(sources: readonly HclSource[]): Promise<readonly ParsedHcl[]> {
  const thread = takeThread();
  try {
    return await parseIn(thread, sources);
  } finally {
    void thread.terminate();
  }
}

async function parseIn(worker: Worker, sources: readonly HclSource[]): Promise<readonly ParsedHcl[]> {
  const deadline = setTimeout(() => void worker.terminate(), timeoutMs);
  const { promise, resolve, reject } = Promise.withResolvers<readonly ParsedHcl[]>();
  const giveUp = (cause?: unknown): void => {
    reject(new ModuleError("ModuleUnreadable", "The configuration of the module cannot be parsed.", { cause }));
  };
  worker.on("message", resolve).on("error", giveUp).on("exit", giveUp);
  try {
    worker.postMessage(sources);
    return await promise;
  } finally {
    clearTimeout(deadline);
    worker.off("message", resolve).off("error", giveUp).off("exit", giveUp);
  }
}

/** Starts a thread for the module that comes next, while it is fetched. */
export function prepareParser(): void {
  if (spare === undefined) {
    keepThread(startThread());
  }
}

function takeThread(): Worker {
  const thread = spare ?? startThread();
  spare = undefined;
  thread.ref();
  return thread;
}

function startThread(): Worker {
  const thread = new Worker(program, { env: { ...compileCacheVariable() }, stdout: true, stderr: true });
  const forget = (): void => {
    spare = spare === thread ? undefined : spare;
  };
  return thread.on("error", forget).on("exit", forget);
}

/** One at most, for a while, and no reason for the process to stay. */
function keepThread(thread: Worker): void {
  spare = thread;
  thread.unref();
  setTimeout(() => {
    if (spare === thread) {
      spare = undefined;
      void thread.terminate();
    }
  }, spareMs).unref();
}

/** Large ones are not kept, and when all together are too many, everything goes. */
function remember(key: string, parsed: readonly ParsedHcl[]): void {
  const characters = parsed.reduce((sum, one) => sum + ("json" in one ? one.json : one.error).length, key.length);
  if (characters > mostKnownCharacters / 8) {
    return;
  }
  if (knownCharacters + characters > mostKnownCharacters) {
    known.clear();
    knownCharacters = 0;
  }
  knownCharacters += known.has(key) ? 0 : characters;
  known.set(key, parsed);
}
