import { randomUUID } from "node:crypto";
import { after, before } from "node:test";
import { type JsonObject, systemClock } from "@rad/core";
import { openTemporaryStore } from "@rad/store/testing";
import { recordAfterwards } from "../../record-afterwards.ts";
import type { Course, Sample, SampleSpec } from "../contract/target-world.ts";
import { describeDeploymentTarget } from "../describe-deployment-target.ts";
import { BoxProcess } from "./box-process.ts";
import { BoxTarget, boxType, boxVersion } from "./box-target.ts";

const can = { keepKeys: true, workLater: true, findByProperties: true };
const courses: Record<Course, JsonObject> = {
  quick: {},
  slow: { workMs: 20, lateId: true },
  failing: { workMs: 5, fail: "It broke." },
  endless: { workMs: -1 },
  refused: { refuse: "No." },
};

let provider: BoxProcess;
before(async () => {
  provider = await BoxProcess.start();
});
after(async () => {
  await provider[Symbol.asyncDispose]();
});

for (const looksFirst of [false, true]) {
  describeDeploymentTarget(looksFirst ? "boxes by label" : "boxes by key", can, async () => {
    const store = await openTemporaryStore();
    const open = () =>
      recordAfterwards(new BoxTarget({ url: provider.url, looksFirst }), { store, clock: systemClock });
    const world = randomUUID();
    const { actions } = await provider.ledger();
    return {
      target: open(),
      store,
      reopen: open,
      sample: (name, spec) => sample(`${world} ${name}`, spec),
      action: { name: "open", count: async () => (await provider.ledger()).actions - actions },
      [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
    };
  });
}

/** The provider chooses the id. */
function sample(title: string, { course, properties, secret = "" }: SampleSpec): Sample {
  return {
    type: boxType,
    apiVersion: boxVersion,
    id: undefined,
    name: undefined,
    extension: { name: "Boxes", version: "1.0.0", config: { account: "contract" } },
    body: { properties: { title, ...properties, token: secret, ...courses[course] } },
    secrets: ["/properties/token"],
  };
}
