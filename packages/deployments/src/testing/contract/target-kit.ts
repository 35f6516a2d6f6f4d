import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { type JsonObject, type JsonValue, Redactor } from "@rad/core";
import type { Requester } from "@rad/resources";
import type { Lease } from "@rad/store";
import type { Deleted, PutOrder, ResourceOrder, Sent, SentEffect } from "../../deployment-target.ts";
import { type Course, idIn, type OpenWorld, propertiesOf, type Sample, type TargetWorld } from "./target-world.ts";

const queue = "contract";
const recordType = "Test.Contract/records";
const scope = "/planes/radius/local/resourcegroups/contract";

export interface SampleOptions {
  readonly course?: Course;
  readonly size?: number;
  readonly color?: string;
  readonly secret?: string;
}

/** One target and a deployment that sends to it. */
export class TargetKit implements AsyncDisposable {
  readonly world: TargetWorld;
  readonly lease: Lease;
  /** What the target was asked to record, in order. */
  readonly effects: SentEffect[] = [];
  /** What the target wants hidden. */
  readonly redactor = new Redactor();
  readonly recordId = `${scope}/providers/${recordType}/record`;
  readonly requester: Requester = {
    caller: { kind: "token", subject: "token:contract", groups: [] },
    correlationId: "contract",
    traceparent: undefined,
    hide: (values) => void this.redactor.add(values),
  };

  static async open(open: OpenWorld): Promise<TargetKit> {
    const world = await open();
    const operation = {
      id: randomUUID(),
      resourceId: `${scope}/providers/Microsoft.Resources/deployments/contract`,
      kind: "put",
      apiVersion: "2025-01-01",
      queue,
      timeoutMs: 3_600_000,
      caller: "token:contract",
      correlationId: "contract",
    };
    await world.store.write({ operation });
    const leased = await world.store.operations.take({
      owner: "contract",
      leaseMs: 600_000,
      queues: [{ name: queue }],
    });
    assert.ok(leased !== undefined);
    return new TargetKit(world, leased.lease);
  }

  #lastId: string | undefined;

  private constructor(world: TargetWorld, lease: Lease) {
    this.world = world;
    this.lease = lease;
  }

  sample(name: string, options: SampleOptions = {}): Sample {
    const { course = "quick", secret, ...properties } = options;
    return this.world.sample(name, { course, properties, secret });
  }

  async put(sample: Sample, more: Partial<PutOrder> = {}): Promise<Sent> {
    return await this.world.target.put({
      ...sample,
      ...this.orderedBy(),
      key: randomUUID(),
      sentBefore: false,
      method: "PUT",
      onlyIfAbsent: false,
      lease: this.lease,
      intent: () => this.#record({ state: "about to be sent" }),
      record: (effect) => {
        this.effects.push(effect);
        return this.#record({ state: "sent", change: effect.change, id: effect.id ?? null });
      },
      ...more,
    });
  }

  /** Puts and waits for the end. Resolves to the whole resource. */
  async made(sample: Sample, more: Partial<PutOrder> = {}): Promise<JsonObject> {
    const sent = await this.put(sample, more);
    const body = sent.kind === "done" ? sent.body : await this.finish(sample, sent.tracking);
    this.#lastId = idIn(body);
    return body;
  }

  async finish(
    sample: Sample,
    tracking: string,
    { target = this.world.target, signal }: { target?: TargetWorld["target"]; signal?: AbortSignal } = {},
  ): Promise<JsonObject> {
    const order = { ...this.#resource(sample), key: "finished", tracking, body: sample.body };
    return await target.finish({ ...order, ...(signal && { signal }) });
  }

  async read(sample: Sample, target = this.world.target): Promise<JsonObject | undefined> {
    return await target.read({ ...this.#resource(sample), body: undefined });
  }

  async sizeOf(sample: Sample): Promise<JsonValue | undefined> {
    return propertiesOf(await this.read(sample))["size"];
  }

  async delete(sample: Sample, key: string, lease = this.lease): Promise<Deleted> {
    return await this.world.target.delete({ ...this.#resource(sample), key, lease });
  }

  async gone(sample: Sample, deleted: Deleted): Promise<void> {
    if (deleted.kind === "accepted") {
      const { tracking } = deleted;
      await this.world.target.finishDelete({ ...this.#resource(sample), key: "gone", tracking, body: undefined });
    }
  }

  async act(sample: Sample, key: string): Promise<JsonValue> {
    const order = {
      ...this.#resource(sample),
      key,
      action: this.world.action?.name ?? "restart",
      body: undefined,
      args: [],
    };
    return await this.world.target.act(order);
  }

  async record(): Promise<JsonObject | undefined> {
    return (await this.world.store.get(this.recordId))?.body;
  }

  orderedBy(): Pick<ResourceOrder, "requester" | "signal"> {
    return { requester: this.requester, signal: new AbortController().signal };
  }

  /** With the id that the target has told last, where the sample has none. */
  #resource(sample: Sample): ResourceOrder {
    const { body: _body, secrets: _secrets, ...resource } = sample;
    return { ...resource, ...this.orderedBy(), id: sample.id ?? this.effects.at(-1)?.id ?? this.#lastId };
  }

  #record(body: JsonObject) {
    const input = { id: this.recordId, type: recordType, apiVersion: "2025-01-01", body, secrets: {} };
    return { kind: "put", input, expect: "any" } as const;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.world[Symbol.asyncDispose]();
  }
}
