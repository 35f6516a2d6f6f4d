import { randomBytes, randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "@rad/core";

/** A resource of the provider. It chooses the id; `title`, where there is one, identifies the box to its users. */
export interface Box {
  readonly id: string;
  /** Without the token, which is never told. */
  properties: JsonObject;
  token: unknown;
  state: "Creating" | "Ready" | "Failed";
  /** The key of the last change. */
  label: string;
  change: Change;
  operation: string | undefined;
  account: string;
}

export type Change = "create" | "modify" | "none";

export interface PutRequest {
  readonly key: string;
  readonly id: string | undefined;
  readonly method: "PUT" | "PATCH";
  readonly onlyIfAbsent: boolean;
  readonly properties: JsonObject;
  readonly account: string;
}

export interface BoxOperation {
  readonly id: string;
  readonly box: string;
  state: "Running" | "Succeeded" | "Failed";
  error: string | undefined;
  readonly ended: Promise<void>;
}

export class Refused extends Error {}

/** What the provider keeps. It does as it is told each time; recognising repeated requests is up to others. */
export class BoxStore {
  readonly boxes = new Map<string, Box>();
  readonly operations = new Map<string, BoxOperation>();
  /** Every box that ever came into being, with the key that brought it. */
  readonly creations: { readonly id: string; readonly key: string }[] = [];
  actions = 0;
  /** By title: how often `refuseTimes` has had its way. */
  readonly #refused = new Map<unknown, number>();

  /** @throws Refused */
  put(request: PutRequest): Box {
    const { key, account } = request;
    const { token, ...sent } = request.properties;
    if (typeof sent["refuse"] === "string") {
      throw new Refused(`${sent["refuse"]} It came with the token ${JSON.stringify(token)}.`);
    }
    const { title, refuseTimes } = sent;
    const refused = this.#refused.get(title) ?? 0;
    if (typeof refuseTimes === "number" && refused < refuseTimes) {
      this.#refused.set(title, refused + 1);
      throw new Refused("Not now.");
    }
    const current = this.find(request);
    if (current !== undefined && request.onlyIfAbsent) {
      return { ...current, change: "none", operation: undefined };
    }
    const properties = request.method === "PATCH" ? { ...current?.properties, ...sent } : sent;
    const isSame = isDeepStrictEqual([current?.properties, current?.token], [properties, token]);
    const change = current === undefined ? "create" : isSame ? "none" : "modify";
    const box: Box = {
      id: current?.id ?? `box-${randomBytes(6).toString("hex")}`,
      properties,
      token,
      state: "Ready",
      label: key,
      change,
      operation: undefined,
      account,
    };
    if (current === undefined) {
      this.creations.push({ id: box.id, key });
    }
    this.boxes.set(box.id, box);
    const workMs = properties["workMs"];
    if (typeof workMs === "number") {
      box.state = "Creating";
      box.operation = this.#start(box, workMs, () => {
        const { fail } = properties;
        box.state = typeof fail === "string" ? "Failed" : "Ready";
        return typeof fail === "string" ? fail : undefined;
      }).id;
    }
    return box;
  }

  /** By its id, or else by its title. */
  find({ id, properties }: Pick<PutRequest, "id" | "properties">): Box | undefined {
    const { title } = properties;
    return id === undefined
      ? this.boxes.values().find((box) => title !== undefined && box.properties["title"] === title)
      : this.boxes.get(id);
  }

  /** @returns what removes the box, when that takes its time. */
  remove(box: Box): BoxOperation | undefined {
    if (typeof box.properties["workMs"] !== "number") {
      this.boxes.delete(box.id);
      return undefined;
    }
    return this.#start(box, 10, () => void this.boxes.delete(box.id));
  }

  /** @param work at the end; gives what went wrong, if anything did. Below 0 milliseconds it never comes to that. */
  #start(box: Box, workMs: number, work: () => string | undefined): BoxOperation {
    const { promise, resolve } = Promise.withResolvers<void>();
    const operation: BoxOperation = {
      id: randomUUID(),
      box: box.id,
      state: "Running",
      error: undefined,
      ended: promise,
    };
    this.operations.set(operation.id, operation);
    const end = (): void => {
      operation.error = work();
      operation.state = operation.error === undefined ? "Succeeded" : "Failed";
      resolve();
    };
    if (workMs >= 0) {
      setTimeout(end, workMs);
    }
    return operation;
  }
}
