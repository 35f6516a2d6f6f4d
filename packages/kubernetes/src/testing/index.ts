export { RefusedRequest } from "./cluster-requests.ts";
export type { CrdProduct } from "./crds/crd-modules.ts";
export { faultyProxy } from "./faulty-proxy.ts";
export type { FaultyProxy } from "./faulty-proxy.ts";
export { ownTestCluster } from "./own-test-cluster.ts";
export type { OwnClusterOptions, OwnTestCluster } from "./own-test-cluster.ts";
export { shareTestCluster, testCluster } from "./shared-test-cluster.ts";
export type { TestClusterOptions } from "./shared-test-cluster.ts";
export type { PolicyRule, ServiceAccountOptions, TestCluster } from "./test-cluster.ts";
