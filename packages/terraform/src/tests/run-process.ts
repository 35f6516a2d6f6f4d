/** A server of the kill tests: deploys or deletes buckets when it is told to, and tells what earlier runs left behind. */
import { openSqliteStore } from "@rad/store";
import { silentLogger } from "@rad/core";
import { unsavedCreations } from "../runs/unsaved-creations.ts";
import type { RealBinary } from "../testing/real-binaries.ts";
import { type Downloads, leaseOf, openBuckets, openRuns } from "./run-kit.ts";
import { startStateServer } from "./state-server.ts";

export interface ServerOptions {
  readonly folder: string;
  readonly port: number;
  readonly binary: RealBinary;
  readonly downloads: Pick<Downloads, "terraformrc" | "env" | "source">;
}

export interface ServerTask {
  readonly name: string;
  readonly buckets: readonly string[];
  readonly isDelete: boolean;
}

export type ServerMessage =
  | { readonly kind: "ready" }
  /** Waits until it is told that somebody has looked. */
  | { readonly kind: "unsaved"; readonly addresses: readonly string[] }
  | { readonly kind: "done" }
  | { readonly kind: "failed"; readonly message: string };

const { folder, port, binary, downloads } = JSON.parse(process.argv[2] ?? "{}") as ServerOptions;
const store = await openSqliteStore({ directory: `${folder}/store`, log: silentLogger });
const states = await startStateServer(store, port);
const runs = openRuns({ store, folder, graceMs: 5_000, leaseMs: 3_000 });

process.on("message", (task) => void work(task as ServerTask | "looked"));
process.once("disconnect", () => process.exit(0));
let looked = Promise.withResolvers<void>();
send({ kind: "ready" });

async function work(task: ServerTask | "looked"): Promise<void> {
  if (task === "looked") {
    looked.resolve();
    return;
  }
  try {
    await perform(task);
    send({ kind: "done" });
  } catch (error) {
    send({ kind: "failed", message: error instanceof Error ? error.message : String(error) });
  }
}

async function perform({ name, buckets, isDelete }: ServerTask): Promise<void> {
  await using run = await openBuckets(runs, { name, buckets, binary: leaseOf(binary), downloads, url: states.url });
  const unsaved = unsavedCreations(run.inherited, await run.show());
  if (unsaved.length > 0) {
    looked = Promise.withResolvers<void>();
    send({ kind: "unsaved", addresses: unsaved.map(({ address }) => address) });
    await looked.promise;
  }
  await (isDelete ? run.destroy() : run.apply());
  await run.settle();
}

function send(message: ServerMessage): void {
  process.send?.(message);
}
