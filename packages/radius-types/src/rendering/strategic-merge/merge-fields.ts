/** How the members of an object merge, by name. Those that are not named: objects merge, lists are replaced. */
export type MergeFields = Readonly<Record<string, MergeField>>;

export interface MergeField {
  /** Items of the list with the same value of this member are the same item. */
  readonly key?: string;
  /** How the members of the object, or of the list's items, merge. */
  readonly fields?: MergeFields;
}

const container: MergeFields = {
  env: { key: "name" },
  ports: { key: "containerPort" },
  volumeDevices: { key: "devicePath" },
  volumeMounts: { key: "mountPath" },
};

/** A PodSpec, as the types of Kubernetes declare it (`patchStrategy`, `patchMergeKey`). */
export const podSpecFields: MergeFields = {
  containers: { key: "name", fields: container },
  ephemeralContainers: { key: "name", fields: container },
  hostAliases: { key: "ip" },
  imagePullSecrets: { key: "name" },
  initContainers: { key: "name", fields: container },
  resourceClaims: { key: "name" },
  schedulingGates: { key: "name" },
  topologySpreadConstraints: { key: "topologyKey" },
  volumes: { key: "name" },
};
