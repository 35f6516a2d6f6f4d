import type { JsonObject } from "@rad/core";
import { openTemporaryStore } from "@rad/store/testing";
import { describeDeploymentTarget } from "../testing/index.ts";
import type { Course, Sample, SampleSpec, TargetWorld } from "../testing/index.ts";
import { thingId } from "./testing/engine-kit.ts";
import { ThingsTarget } from "./testing/things-target.ts";

const can = { keepKeys: false, workLater: true, findByProperties: false };

describeDeploymentTarget("things", can, async (): Promise<TargetWorld> => {
  const store = await openTemporaryStore();
  const target = new ThingsTarget(store);
  return {
    target,
    store,
    reopen: () => new ThingsTarget(store),
    sample,
    action: { name: "listSecrets", count: () => target.actions.length },
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
});

function sample(name: string, { course, properties, secret = "" }: SampleSpec): Sample {
  return {
    type: "Radius.Test/things",
    apiVersion: "2025-01-01",
    id: thingId(name),
    name,
    extension: undefined,
    body: { properties: { ...properties, token: secret, ...courses(secret)[course] } },
    secrets: ["/properties/token"],
  };
}

function courses(secret: string): Record<Course, JsonObject> {
  return {
    quick: {},
    slow: { slow: true },
    failing: { slow: true, fail: "it broke" },
    endless: { slow: true, holdEnd: true },
    refused: { refuse: `Not with '${secret}'.` },
  };
}
