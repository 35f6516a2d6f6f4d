import assert from "node:assert/strict";
import { testCluster } from "@rad/kubernetes/testing";
import { clusterObject, clusterObjects, type ObjectKind } from "./cluster-objects.ts";
import { standInForContour } from "./contour.ts";
import { describeJourney, type JourneyPlace } from "./describe-journey.ts";
import { describeSharedObjects } from "./describe-shared-objects.ts";
import { documentedRules, grantedRights, usedRights } from "./used-rights.ts";

describeJourney("cluster", openCluster);
describeSharedObjects("cluster", openCluster);

/** A right that is not used, but handed on: every container gets a Role that has it. */
const handedOn = ["list core/secrets"];

async function openCluster(): Promise<JourneyPlace> {
  const cluster = await testCluster();
  const rules = await documentedRules();
  await cluster.install("contour");
  const namespace = await cluster.namespace("journey");
  const account = `radius-${namespace}`;
  const kubeConfig = await cluster.serviceAccount({ rules, name: account });
  const contour = standInForContour(cluster, namespace);
  return {
    kubernetes: { kubeConfig },
    namespace,
    objects: (name) => clusterObjects(cluster, name),
    read: (kind, place, name) => clusterObject(cluster, kind as ObjectKind, place, name),
    check: async () => {
      const { used, refused } = await usedRights(cluster.auditLog, `system:serviceaccount:default:${account}`);
      assert.deepEqual(refused, []);
      assert.deepEqual([...used, ...handedOn].toSorted(), grantedRights(rules));
    },
    [Symbol.asyncDispose]: () => contour[Symbol.asyncDispose](),
  };
}
