import assert from "node:assert/strict";
import type { JsonObject } from "@rad/core";
import type { Store } from "@rad/store";
import type { DeploymentTarget, PutOrder } from "../../deployment-target.ts";

/** What becomes of a resource that is sent. `endless`: it is accepted and never ends. */
export type Course = "quick" | "slow" | "failing" | "endless" | "refused";

export interface SampleSpec {
  readonly course: Course;
  /** To be sent, and read back, as members of `properties`. */
  readonly properties: JsonObject;
  /** Goes anywhere in the body; the sample's `secrets` say where. A target that refuses it may well repeat it. */
  readonly secret: string | undefined;
}

/** What a template says of one resource. */
export type Sample = Pick<PutOrder, "type" | "apiVersion" | "id" | "name" | "extension" | "body" | "secrets">;

/** A target to be tested, with nothing in it. */
export interface TargetWorld extends AsyncDisposable {
  readonly target: DeploymentTarget;
  /** Where its records are stored. */
  readonly store: Store;
  /** The same resources through another instance, as after a restart. */
  reopen(): Promise<DeploymentTarget> | DeploymentTarget;
  /** Samples of one name and of any course but `refused` stand for the same resource. */
  sample(name: string, spec: SampleSpec): Sample;
  /** An action that every sample has, and how often it has run; absent for a target whose resources have none. */
  readonly action?: { readonly name: string; count(): Promise<number> | number };
}

export interface TargetAbilities {
  /**
   * Answers a change that comes again under the same key as it did before. A target that stores its records in the
   * transaction of the effect needs no keys: what has a record is not sent again.
   */
  readonly keepKeys: boolean;
  /** Accepts changes and carries them out later; otherwise only `quick` and `refused` samples are asked for. */
  readonly workLater: boolean;
  /** Finds a resource without its id, by what the template says of it. */
  readonly findByProperties: boolean;
}

export type OpenWorld = () => Promise<TargetWorld>;

/** Every body that a target resolves to has one. */
export function idIn(body: JsonObject | undefined): string {
  const { id } = body ?? {};
  assert.ok(typeof id === "string" && id !== "", `no id in ${JSON.stringify(body)}`);
  return id;
}

export function propertiesOf(body: JsonObject | undefined): JsonObject {
  const { properties = {} } = body ?? {};
  return properties as JsonObject;
}
