import type { KubernetesObject } from "./kubernetes-object.ts";

/*
 * The members that readiness looks at. The API server checks the shape of its own kinds, so they are read without a
 * schema; each member may be absent, since controllers fill in status bit by bit.
 */

export interface Metadata {
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly generation?: number;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly labels?: Readonly<Record<string, string>>;
  readonly ownerReferences?: readonly { readonly uid: string; readonly controller?: boolean }[];
}

export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly observedGeneration?: number;
}

export interface Deployment {
  readonly metadata: Metadata;
  readonly spec?: { readonly replicas?: number; readonly paused?: boolean };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly terminatingReplicas?: number;
    readonly conditions?: readonly Condition[];
  };
}

export interface ReplicaSet {
  readonly metadata: Metadata;
  readonly status?: { readonly conditions?: readonly Condition[] };
}

export interface StatefulSet {
  readonly metadata: Metadata;
  readonly spec?: {
    readonly replicas?: number;
    readonly updateStrategy?: { readonly type?: string; readonly rollingUpdate?: { readonly partition?: number } };
  };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly readyReplicas?: number;
    readonly updatedReplicas?: number;
    readonly currentRevision?: string;
    readonly updateRevision?: string;
  };
}

export interface DaemonSet {
  readonly metadata: Metadata;
  readonly spec?: { readonly updateStrategy?: { readonly type?: string } };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly desiredNumberScheduled?: number;
    readonly updatedNumberScheduled?: number;
    readonly numberAvailable?: number;
  };
}

export interface Job {
  readonly metadata: Metadata;
  readonly spec?: { readonly suspend?: boolean };
  readonly status?: { readonly active?: number; readonly conditions?: readonly Condition[] };
}

export interface Pod {
  readonly metadata: Metadata;
  readonly spec?: {
    readonly containers?: readonly Container[];
    readonly initContainers?: readonly Container[];
    readonly ephemeralContainers?: readonly Container[];
  };
  readonly status?: {
    readonly phase?: string;
    readonly reason?: string;
    readonly message?: string;
    readonly conditions?: readonly Condition[];
    readonly containerStatuses?: readonly ContainerStatus[];
    readonly initContainerStatuses?: readonly ContainerStatus[];
    readonly ephemeralContainerStatuses?: readonly ContainerStatus[];
  };
}

export interface Container {
  readonly name: string;
  readonly ports?: readonly { readonly containerPort: number; readonly protocol?: string }[];
}

export interface ContainerStatus {
  readonly name: string;
  readonly ready?: boolean;
  readonly restartCount?: number;
  readonly state?: ContainerState;
  readonly lastState?: ContainerState;
}

export interface ContainerState {
  readonly waiting?: { readonly reason?: string; readonly message?: string };
  readonly running?: { readonly startedAt?: string };
  readonly terminated?: Terminated;
}

export interface Terminated {
  readonly exitCode?: number;
  readonly signal?: number;
  readonly reason?: string;
  readonly message?: string;
}

export interface Claim {
  readonly metadata: Metadata;
  readonly spec?: { readonly storageClassName?: string };
  readonly status?: { readonly phase?: string };
}

export interface Service {
  readonly metadata: Metadata;
  readonly spec?: { readonly type?: string };
  readonly status?: { readonly loadBalancer?: { readonly ingress?: readonly unknown[] } };
}

export interface Event {
  readonly metadata: Metadata;
  readonly type?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastTimestamp?: string | null;
  readonly eventTime?: string | null;
}

interface Views {
  DaemonSet: DaemonSet;
  Deployment: Deployment;
  Event: Event;
  Job: Job;
  PersistentVolumeClaim: Claim;
  Pod: Pod;
  ReplicaSet: ReplicaSet;
  Service: Service;
  StatefulSet: StatefulSet;
}

/** Reads an object of a built-in kind as what the API server says it is. */
export function viewOf<Kind extends keyof Views>(object: KubernetesObject, _kind: Kind): Views[Kind] {
  const view: unknown = object;
  return view as Views[Kind];
}

export function conditionOf(conditions: readonly Condition[] | undefined, type: string): Condition | undefined {
  return conditions?.find((condition) => condition.type === type);
}
