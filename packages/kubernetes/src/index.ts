export type { ClusterConfig } from "./config/cluster-config.ts";
export { kubeContexts } from "./kube-contexts.ts";
export type { KubernetesObject, ObjectMetadata, ObjectName } from "./kubernetes-object.ts";
export { nameOf } from "./kubernetes-object.ts";
export type { Applied, CallOptions, ObjectTarget, Preview, ReadyOptions } from "./object-target.ts";
export { idOfObject, objectOfId } from "./object-id.ts";
export { openObjectTarget } from "./open-object-target.ts";
export type { ObjectTargetConfig } from "./open-object-target.ts";
