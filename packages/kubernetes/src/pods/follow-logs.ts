import { ApiError, type Clock, systemClock } from "@rad/core";
import type { ApiClient } from "../api/api-client.ts";
import type { Collection } from "../api/follow-collection.ts";
import { linesOf } from "../api/lines.ts";
import { everything, type Observer, Watches } from "../api/watch.ts";
import type { ContainerStatus, Pod } from "../views.ts";
import { viewOf } from "../views.ts";
import { Channel } from "./channel.ts";
import { LogPosition } from "./log-position.ts";
import { resourceOf } from "./pod-labels.ts";

export interface LogOptions {
  readonly namespace: string;
  /** A label selector: `radapp.io/application=shop,radapp.io/resource=web`. */
  readonly selector: string;
  /** Leaves out what was printed earlier than this many seconds ago. */
  readonly sinceSeconds?: number | undefined;
  /** Goes on with lines to come, of pods to come too. Without it the iteration ends with what is there now. */
  readonly follow: boolean;
  /** Only containers of this name. All, also init and ephemeral ones, when absent. */
  readonly container?: string | undefined;
  /** Ends the iteration; not an error. */
  readonly signal: AbortSignal;
  readonly clock?: Clock;
}

export type LogEntry =
  | (LogSource & { readonly kind: "line"; readonly line: string })
  /** A log cannot be read, for the time being or for ever. The others go on. */
  | (LogSource & { readonly kind: "note"; readonly note: string });

export interface LogSource {
  readonly pod: string;
  readonly container: string;
  /** The pod's `radapp.io/resource`, else its name up to the first dash. */
  readonly resource: string;
}

/** Longer lines are divided. */
const maxLineLength = 1024 * 1024;
/** How long the log of a deleted pod may still take to end by itself. */
const lastWordsMs = 1_000;

/**
 * The logs of all containers of the selected pods, merged. Reads no faster than the consumer. Cut connections are resumed
 * where they ended.
 * @throws ApiError when the pods themselves cannot be listed
 */
export async function* followLogs(client: ApiClient, options: LogOptions): AsyncGenerator<LogEntry> {
  const stop = new AbortController();
  const channel = new Channel<LogEntry>();
  const signal = AbortSignal.any([options.signal, stop.signal]);
  let failure: { readonly error: unknown } | undefined;
  const reading = new LogReaders(client, options, { channel, signal })
    .run()
    .catch((error: unknown) => {
      failure = signal.aborted ? undefined : { error };
    })
    .finally(() => channel.close());
  try {
    yield* channel.items();
  } finally {
    stop.abort();
    channel.close();
    await reading;
  }
  if (failure !== undefined) {
    throw failure.error;
  }
}

/** What is known of one container's log. */
interface Log {
  readonly source: LogSource;
  readonly position: LogPosition;
  /** Restarts of the container when its log was last read to the end. */
  readTo: number | undefined;
  failures: number;
  note: string | undefined;
  task: Promise<void> | undefined;
}

interface FollowedPod {
  readonly logs: Map<string, Log>;
  readonly gone: AbortController;
}

class LogReaders {
  readonly #client: ApiClient;
  readonly #options: LogOptions;
  readonly #clock: Clock;
  readonly #channel: Channel<LogEntry>;
  readonly #signal: AbortSignal;
  readonly #pods = new Map<string, FollowedPod>();
  readonly #tasks = new Set<Promise<void>>();

  constructor(
    client: ApiClient,
    options: LogOptions,
    { channel, signal }: { readonly channel: Channel<LogEntry>; readonly signal: AbortSignal },
  ) {
    this.#client = client;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#channel = channel;
    this.#signal = signal;
  }

  async run(): Promise<void> {
    const { namespace, selector, follow } = this.#options;
    const collection: Collection = {
      path: `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods`,
      query: { labelSelector: selector },
    };
    using observer = new Watches(this.#client, this.#clock).observe();
    try {
      await observer.join(collection, this.#signal);
      for (;;) {
        const pods = observer.read(collection, everything).map((object) => viewOf(object, "Pod"));
        this.#forget(pods);
        for (const pod of pods) {
          this.#readStarted(pod, observer);
        }
        if (!follow) {
          break;
        }
        await observer.changed(this.#signal);
      }
    } finally {
      await Promise.all(this.#tasks);
    }
  }

  /** Ends the logs of pods that are gone, after their last lines. */
  #forget(pods: readonly Pod[]): void {
    const alive = new Set(pods.map(identityOf));
    for (const [identity, { gone, logs }] of this.#pods) {
      if (!alive.has(identity)) {
        this.#pods.delete(identity);
        const reading = Promise.all([...logs.values()].flatMap(({ task }) => task ?? []));
        this.#track(this.#endAfter(reading, gone));
      }
    }
  }

  async #endAfter(reading: Promise<unknown>, gone: AbortController): Promise<void> {
    const over = new AbortController();
    const timer = this.#clock.sleep(lastWordsMs, AbortSignal.any([this.#signal, over.signal])).catch(() => undefined);
    await Promise.race([reading, timer]);
    over.abort();
    gone.abort();
    await timer;
  }

  /** Starts to read the log of every container that has one and is not being read. */
  #readStarted(pod: Pod, observer: Observer): void {
    const identity = identityOf(pod);
    const followed = this.#pods.get(identity) ?? { logs: new Map<string, Log>(), gone: new AbortController() };
    this.#pods.set(identity, followed);
    const { container } = this.#options;
    for (const status of statusesOf(pod)) {
      if (container !== undefined && status.name !== container) {
        continue;
      }
      const log = followed.logs.get(status.name) ?? newLog(pod, status.name);
      followed.logs.set(status.name, log);
      if (log.task === undefined && hasLog(status) && !isReadWhole(log, status)) {
        const task = this.#read(log, status, followed.gone.signal).finally(() => {
          log.task = undefined;
          observer.touch();
        });
        log.task = task;
        this.#track(task);
      }
    }
  }

  async #read(log: Log, status: ContainerStatus, gone: AbortSignal): Promise<void> {
    const signal = AbortSignal.any([this.#signal, gone]);
    const { source, position } = log;
    let lines = 0;
    try {
      const body = await this.#client.stream(this.#call(log, signal));
      position.resume();
      for await (const timed of linesOf(body, maxLineLength)) {
        const line = position.take(timed);
        if (line !== undefined) {
          lines += 1;
          await this.#channel.put({ kind: "line", ...source, line });
        }
        signal.throwIfAborted();
      }
      log.readTo = status.restartCount ?? 0;
      log.note = undefined;
    } catch (error) {
      if (signal.aborted) {
        return;
      }
      await this.#note(log, error);
    }
    log.failures = lines > 0 ? 1 : log.failures + 1;
    if (this.#options.follow) {
      // A log that ends while its container seems to run is asked for again, but not in a tight loop.
      await this.#clock.sleep(backoffMs(log.failures), signal).catch(() => undefined);
    }
  }

  #call({ source, position }: Log, signal: AbortSignal): Parameters<ApiClient["stream"]>[0] {
    const { namespace, sinceSeconds, follow } = this.#options;
    const since = position.since;
    return {
      method: "GET",
      path: `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(source.pod)}/log`,
      subject: `Log of container '${source.container}' of pod '${source.pod}'`,
      query: {
        container: source.container,
        timestamps: "true",
        ...(follow ? { follow: "true" } : {}),
        ...(since !== undefined ? { sinceTime: since } : {}),
        ...(since === undefined && sinceSeconds !== undefined ? { sinceSeconds: String(sinceSeconds) } : {}),
      },
      signal,
    };
  }

  /** Says each thing once, however often it happens. */
  async #note(log: Log, error: unknown): Promise<void> {
    if (!(error instanceof ApiError)) {
      throw error;
    }
    if (error.message !== log.note) {
      log.note = error.message;
      await this.#channel.put({ kind: "note", ...log.source, note: error.message });
    }
  }

  #track(task: Promise<void>): void {
    this.#tasks.add(task);
    void task.finally(() => this.#tasks.delete(task)).catch(() => undefined);
  }
}

/** A pod of a StatefulSet that is replaced keeps its name. */
function identityOf({ metadata }: Pod): string {
  return metadata.uid ?? metadata.name;
}

function newLog(pod: Pod, container: string): Log {
  return {
    source: { pod: pod.metadata.name, container, resource: resourceOf(pod) },
    position: new LogPosition(),
    readTo: undefined,
    failures: 0,
    note: undefined,
    task: undefined,
  };
}

function statusesOf({ status }: Pod): ContainerStatus[] {
  return [
    ...(status?.initContainerStatuses ?? []),
    ...(status?.containerStatuses ?? []),
    ...(status?.ephemeralContainerStatuses ?? []),
  ];
}

/** Before a container has started, asking for its log is an error. */
function hasLog({ state, lastState }: ContainerStatus): boolean {
  return state?.running !== undefined || state?.terminated !== undefined || lastState?.terminated !== undefined;
}

/** A container that is still running is read on; one that has ended is read again after a restart only. */
function isReadWhole({ readTo }: Log, { state, restartCount }: ContainerStatus): boolean {
  return readTo === (restartCount ?? 0) && state?.running === undefined;
}

/** Doubles from 200 ms up to 10 s. */
function backoffMs(failures: number): number {
  return Math.min(10_000, 200 * 2 ** Math.max(0, failures - 1));
}
