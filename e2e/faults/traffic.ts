import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { isTerminal } from "@rad/core";
import { until } from "@rad/core/testing";
import { apiVersion, clientOf, group, registerType } from "../support/api.ts";
import type { AuditLine, Server } from "../support/api.ts";
import { settledAudit } from "../support/audit-log.ts";
import { steeredType } from "../support/handlers.ts";
import { seededRandom } from "../support/random.ts";
import { History } from "./history.ts";
import type { Change, State } from "./history.ts";

const syncType = "Radius.Core/settings";
const syncCallers = 12;
const asyncCallers = 4;
const namesPerCaller = 3;
/** A server that has not answered by then never will: nothing in these tests takes the database away for so long. */
const hangMs = 25_000;

interface Reply {
  readonly status: number;
  readonly body: string;
}

interface Sent extends Change {
  readonly correlationId: string;
  /** Absent when there was no answer. */
  readonly status: number | undefined;
}

export interface TrafficOptions {
  /** Undefined while there is none. */
  readonly server: () => Server | undefined;
  /** Tells this load from others on the same server. */
  readonly name: string;
  readonly seed: number;
  /** Whether a request may stay without an answer, because the server is killed. */
  readonly mayDie?: boolean;
}

/** Makes the group and the types that the callers use. */
export async function prepareTraffic(server: Server): Promise<void> {
  await clientOf(server).groups.put("test");
  for (const type of [syncType, steeredType]) {
    await registerType(server, type, { version: { type: "integer" } });
  }
}

export function syncResource(name: string): string {
  return `${group}/providers/${syncType}/${name}`;
}

/**
 * Sixteen callers who each change resources of their own, some of them asynchronously, and check every answer: 2xx means
 * done, 412 that a resource was there, 503 that the database is away. Nothing else is right.
 */
export class Traffic implements AsyncDisposable {
  /** Changes that were answered with 2xx. */
  acknowledged = 0;
  /** Answers that said 503, and requests without an answer. */
  unavailable = 0;
  readonly #options: TrafficOptions;
  readonly #stop = new AbortController();
  readonly #problems: string[] = [];
  readonly #sent: Sent[] = [];
  readonly #histories = new Map<string, History>();
  readonly #callers: Promise<void[]>;

  constructor(options: TrafficOptions) {
    this.#options = options;
    const callers = [...Array(syncCallers).fill(syncType), ...Array(asyncCallers).fill(steeredType)] as string[];
    this.#callers = Promise.all(
      callers.map((type, index) => this.#call(type, `${options.name}-${index}`, options.seed + index)),
    );
  }

  /** Waits until so many more changes are acknowledged. */
  async goesOn(changes: number): Promise<void> {
    const goal = this.acknowledged + changes;
    await until(
      () => `${goal} changes are acknowledged; ${this.acknowledged} are`,
      () => this.#throwProblems() || this.acknowledged >= goal,
      { timeoutMs: 2 * hangMs },
    );
  }

  /** Waits until so many more requests are answered with 503, or not at all. */
  async isRefused(requests: number): Promise<void> {
    const goal = this.unavailable + requests;
    await until(`${goal} requests have failed`, () => this.#throwProblems() || this.unavailable >= goal);
  }

  /** Stops the callers, and compares what is stored with what they were told. */
  async verify(server: Server): Promise<void> {
    await this[Symbol.asyncDispose]();
    for (const [resource, history] of this.#histories) {
      const { status, state } = await this.#settled(resource);
      this.#check(history, { kind: "get", version: 0 }, status, state);
    }
    this.#throwProblems();
    const records = Map.groupBy(await settledAudit(server), ({ correlationId }) => correlationId);
    for (const sent of this.#sent) {
      const found = (records.get(sent.correlationId) ?? []).map(describe);
      assert.ok(isOnRecord(sent, found), `${JSON.stringify(sent)}: ${found.join(", ")}`);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#callers;
  }

  #throwProblems(): false {
    assert.deepEqual(this.#problems.slice(0, 5), []);
    return false;
  }

  async #call(type: string, name: string, seed: number): Promise<void> {
    const random = seededRandom(seed);
    for (let version = 1; !this.#stop.signal.aborted && this.#problems.length === 0; version += 1) {
      if (this.#options.server() === undefined) {
        await sleep(5);
        continue;
      }
      const resource = `${group}/providers/${type}/${name}-${Math.floor(random() * namesPerCaller)}`;
      const history = this.#histories.get(resource) ?? new History();
      this.#histories.set(resource, history);
      const change = { kind: pickKind(random()), version } as const;
      const correlationId = `${name}-${version}`;
      const reply = await this.#send(resource, change, correlationId);
      this.#sent.push({ ...change, correlationId, status: reply?.status });
      this.#learn(history, change, reply);
      if (type === steeredType && change.kind !== "get") {
        const { status, state } = await this.#settled(resource);
        this.#check(history, { kind: "get", version }, status, state);
      }
    }
  }

  #learn(history: History, change: Change, reply: Reply | undefined): void {
    if (reply === undefined || reply.status === 503) {
      this.unavailable += 1;
      history.unknown(change);
      return;
    }
    this.acknowledged += reply.status < 300 && change.kind !== "get" ? 1 : 0;
    this.#check(history, change, reply.status, change.kind === "get" ? stateOf(reply) : undefined, reply.body);
  }

  #check(history: History, change: Change, status: number, state?: State, body = ""): void {
    const problem = history.answered(change, status, state);
    if (problem !== undefined) {
      this.#problems.push(`${problem} ${body}`);
    }
  }

  /** The resource once no operation is at work on it and the server answers. */
  async #settled(resource: string): Promise<{ readonly status: number; readonly state: State }> {
    return await until(
      `${resource} has no operation running`,
      async () => {
        const reply = await this.#send(resource, { kind: "get", version: 0 }, "settled");
        if (reply?.status === 200) {
          const { properties } = JSON.parse(reply.body) as { properties: { provisioningState: string } };
          return isTerminal(properties.provisioningState) && { status: 200, state: stateOf(reply) };
        }
        return reply !== undefined && reply.status !== 503 && { status: reply.status, state: "absent" as const };
      },
      { timeoutMs: hangMs },
    );
  }

  /** @returns undefined when nothing answers, which is a problem unless the server may die */
  async #send(resource: string, { kind, version }: Change, correlationId: string): Promise<Reply | undefined> {
    const server = this.#options.server();
    if (server === undefined) {
      return undefined;
    }
    const isPut = kind === "put" || kind === "create";
    try {
      const response = await fetch(`${server.url}${resource}?api-version=${apiVersion}`, {
        method: isPut ? "PUT" : kind.toUpperCase(),
        headers: {
          authorization: `Bearer ${server.token}`,
          "content-type": "application/json",
          "x-ms-correlation-request-id": correlationId,
          ...(kind === "create" ? { "if-none-match": "*" } : {}),
        },
        ...(isPut ? { body: JSON.stringify({ location: "global", properties: { version } }) } : {}),
        signal: AbortSignal.timeout(hangMs),
      });
      const body = await response.text();
      if (response.status === 503) {
        if (!response.headers.has("retry-after")) {
          this.#problems.push(`${kind} ${resource}: 503 without Retry-After`);
        }
        await sleep(20);
      }
      return { status: response.status, body };
    } catch (error) {
      if (this.#options.mayDie !== true || (error as Error).name === "TimeoutError") {
        this.#problems.push(`${kind} ${resource}: ${String(error)}`);
      }
      return undefined;
    }
  }
}

function pickKind(random: number): Change["kind"] {
  if (random < 0.45) {
    return "put";
  }
  if (random < 0.7) {
    return "create";
  }
  return random < 0.9 ? "delete" : "get";
}

function stateOf({ status, body }: Reply): State {
  const { properties } = JSON.parse(body) as { properties?: { version: number } };
  return status === 200 ? (properties?.version ?? "absent") : "absent";
}

function describe({ phase, result = "" }: AuditLine): string {
  return `${phase} ${result}`.trim();
}

/** One intent with one outcome where something was changed, and never two. */
function isOnRecord({ kind, status }: Sent, found: readonly string[]): boolean {
  const isChanged = found.join() === "intent,outcome Succeeded";
  if (status === undefined || status === 503) {
    const count = (phase: string): number => found.filter((record) => record.startsWith(phase)).length;
    return isChanged || (count("intent") <= 1 && count("intent") === count("outcome") && count("refusal") <= 1);
  }
  if (status === 412) {
    // A refusal does not wait for a database that is away: it may be missing, and is counted as lost then.
    return found.length === 0 || (found.length === 1 && found[0]?.startsWith("refusal ") === true);
  }
  return kind === "get" || status === 204 ? found.length === 0 : isChanged;
}
