import type { JsonObject } from "@rad/core";

/** A patch of a PodSpec and what an API server makes of it; `undefined` where it refuses the patch. */
export interface MergeCase {
  readonly name: string;
  readonly patch: JsonObject;
  readonly expected: JsonObject | undefined;
}

/** What every case patches. */
export const podSpec = {
  serviceAccountName: "web",
  nodeSelector: { disk: "ssd", zone: "a" },
  containers: [
    {
      name: "web",
      image: "web:1",
      command: ["serve", "--fast"],
      env: [
        { name: "A", value: "1" },
        { name: "B", value: "2" },
        { name: "C", value: "3" },
      ],
      ports: [
        { containerPort: 80, protocol: "TCP" },
        { containerPort: 443, protocol: "TCP" },
      ],
      volumeMounts: [
        { name: "cache", mountPath: "/cache" },
        { name: "data", mountPath: "/data" },
      ],
      resources: { limits: { cpu: "1", memory: "1Gi" } },
    },
    { name: "proxy", image: "proxy:1" },
  ],
  volumes: [
    { name: "cache", emptyDir: { medium: "Memory" } },
    { name: "data", emptyDir: {} },
  ],
  tolerations: [{ key: "a", operator: "Exists" }],
  imagePullSecrets: [{ name: "one" }],
  hostAliases: [{ ip: "10.0.0.1", hostnames: ["a", "b"] }],
} as const satisfies JsonObject;

const [web, proxy] = podSpec.containers;
const [cache, data] = podSpec.volumes;
const [a, b, c] = web.env;

export const mergeCases: readonly MergeCase[] = [
  { name: "an empty patch", patch: {}, expected: podSpec },
  {
    name: "scalars and maps",
    patch: { priorityClassName: "high", nodeSelector: { zone: "b", disk: null, gpu: "no" }, hostNetwork: false },
    expected: { ...podSpec, priorityClassName: "high", nodeSelector: { zone: "b", gpu: "no" }, hostNetwork: false },
  },
  {
    name: "null for a member that is not there",
    patch: { priorityClassName: null, securityContext: { runAsUser: null, runAsGroup: 5 } },
    expected: { ...podSpec, securityContext: { runAsGroup: 5 } },
  },
  {
    name: "a sidecar, which comes first",
    patch: { containers: [{ name: "log", image: "log:1", stdin: null }] },
    expected: { ...podSpec, containers: [{ name: "log", image: "log:1" }, web, proxy] },
  },
  {
    name: "a container by its name",
    patch: { containers: [{ name: "web", image: "web:2", resources: { limits: { cpu: null, memory: "2Gi" } } }] },
    expected: {
      ...podSpec,
      containers: [{ ...web, image: "web:2", resources: { limits: { memory: "2Gi" } } }, proxy],
    },
  },
  {
    name: "containers in another order",
    patch: {
      containers: [
        { name: "proxy", image: "proxy:2" },
        { name: "web", image: "web:2" },
      ],
    },
    expected: {
      ...podSpec,
      containers: [
        { ...proxy, image: "proxy:2" },
        { ...web, image: "web:2" },
      ],
    },
  },
  {
    name: "lists inside a container by their keys",
    patch: {
      containers: [
        {
          name: "web",
          command: ["serve"],
          env: [
            { name: "C", value: "4" },
            { name: "D", value: "5" },
            { name: "A", $patch: "delete" },
          ],
          ports: [
            { containerPort: 443, name: "tls" },
            { containerPort: 9090, protocol: "TCP" },
          ],
          volumeMounts: [{ mountPath: "/data", name: "data", readOnly: true }],
        },
      ],
    },
    expected: {
      ...podSpec,
      containers: [
        {
          ...web,
          command: ["serve"],
          env: [b, { name: "C", value: "4" }, { name: "D", value: "5" }],
          ports: [web.ports[0], { ...web.ports[1], name: "tls" }, { containerPort: 9090, protocol: "TCP" }],
          volumeMounts: [web.volumeMounts[0], { ...web.volumeMounts[1], readOnly: true }],
        },
        proxy,
      ],
    },
  },
  {
    name: "an init container",
    patch: { initContainers: [{ name: "migrate", image: "migrate:1" }] },
    expected: { ...podSpec, initContainers: [{ name: "migrate", image: "migrate:1" }] },
  },
  {
    name: "lists without a key",
    patch: {
      tolerations: [{ key: "b", operator: "Exists" }],
      hostAliases: [
        { ip: "10.0.0.1", hostnames: ["c"] },
        { ip: "10.0.0.2", hostnames: ["d"] },
      ],
    },
    expected: {
      ...podSpec,
      tolerations: [{ key: "b", operator: "Exists" }],
      hostAliases: [
        { ip: "10.0.0.1", hostnames: ["c"] },
        { ip: "10.0.0.2", hostnames: ["d"] },
      ],
    },
  },
  {
    name: "pull secrets, a volume and a spread constraint",
    patch: {
      imagePullSecrets: [{ name: "two" }],
      volumes: [{ name: "tmp", emptyDir: {} }],
      topologySpreadConstraints: [{ topologyKey: "zone", maxSkew: 1, whenUnsatisfiable: "DoNotSchedule" }],
    },
    expected: {
      ...podSpec,
      imagePullSecrets: [{ name: "two" }, { name: "one" }],
      volumes: [{ name: "tmp", emptyDir: {} }, cache, data],
      topologySpreadConstraints: [{ topologyKey: "zone", maxSkew: 1, whenUnsatisfiable: "DoNotSchedule" }],
    },
  },
  {
    name: "$patch: delete of items",
    patch: {
      containers: [
        { name: "proxy", $patch: "delete" },
        { name: "unheard-of", $patch: "delete" },
      ],
    },
    expected: { ...podSpec, containers: [web] },
  },
  {
    name: "$patch: replace of a list",
    patch: { containers: [{ $patch: "replace" }, { name: "only", image: "only:1" }], tolerations: null },
    expected: without({ ...podSpec, containers: [{ name: "only", image: "only:1" }] }, "tolerations"),
  },
  {
    name: "$patch: replace and delete of objects",
    patch: {
      nodeSelector: { $patch: "replace", zone: "c" },
      containers: [{ name: "web", resources: { $patch: "delete" } }],
    },
    expected: { ...podSpec, nodeSelector: { zone: "c" }, containers: [{ ...web, resources: {} }, proxy] },
  },
  {
    name: "$patch: replace of an item's object",
    patch: { containers: [{ name: "web", resources: { $patch: "replace", requests: { cpu: "1" } } }] },
    expected: { ...podSpec, containers: [{ ...web, resources: { requests: { cpu: "1" } } }, proxy] },
  },
  {
    name: "$retainKeys",
    patch: { volumes: [{ name: "cache", $retainKeys: ["name", "hostPath"], hostPath: { path: "/tmp" } }] },
    expected: { ...podSpec, volumes: [{ name: "cache", hostPath: { path: "/tmp" } }, data] },
  },
  {
    name: "$setElementOrder without a patch of the list",
    patch: { "$setElementOrder/containers": [{ name: "proxy" }, { name: "web" }] },
    expected: { ...podSpec, containers: [proxy, web] },
  },
  {
    name: "$setElementOrder with new and other items",
    patch: {
      "$setElementOrder/containers": [{ name: "web" }, { name: "log" }],
      containers: [{ name: "log", image: "log:1" }],
    },
    expected: { ...podSpec, containers: [web, { name: "log", image: "log:1" }, proxy] },
  },
  {
    name: "$setElementOrder inside of an item",
    patch: {
      containers: [
        { name: "web", "$setElementOrder/env": [{ name: "C" }, { name: "A" }], env: [{ name: "A", value: "9" }] },
      ],
    },
    expected: { ...podSpec, containers: [{ ...web, env: [b, c, { ...a, value: "9" }] }, proxy] },
  },
  {
    name: "$setElementOrder of a list that is not there",
    patch: {
      "$setElementOrder/initContainers": [{ name: "two" }, { name: "one" }],
      initContainers: [
        { name: "two", image: "two:1" },
        { name: "one", image: "one:1" },
      ],
    },
    expected: {
      ...podSpec,
      initContainers: [
        { name: "two", image: "two:1" },
        { name: "one", image: "one:1" },
      ],
    },
  },
  {
    name: "$deleteFromPrimitiveList of a list without a merge strategy",
    patch: { containers: [{ name: "web", "$deleteFromPrimitiveList/command": ["--fast"] }] },
    expected: { ...podSpec, containers: [{ ...web, command: ["serve"] }, proxy] },
  },
  { name: "an item without its key", patch: { containers: [{ image: "log:1" }] }, expected: undefined },
  { name: "an unknown $patch of an object", patch: { nodeSelector: { $patch: "merge" } }, expected: undefined },
  {
    name: "an unknown $patch of an item",
    patch: { containers: [{ name: "web", $patch: "merge" }] },
    expected: undefined,
  },
  {
    name: "members that $retainKeys does not name",
    patch: { volumes: [{ name: "cache", $retainKeys: ["name"], hostPath: { path: "/tmp" } }] },
    expected: undefined,
  },
  {
    name: "items in another order than $setElementOrder",
    patch: {
      "$setElementOrder/containers": [{ name: "web" }, { name: "proxy" }],
      containers: [
        { name: "proxy", image: "p:2" },
        { name: "web", image: "w:2" },
      ],
    },
    expected: undefined,
  },
  {
    name: "an order that is no list",
    patch: { "$setElementOrder/containers": { name: "web" } },
    expected: undefined,
  },
  { name: "text among the items of a keyed list", patch: { containers: ["web"] }, expected: undefined },
];

function without(object: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([other]) => other !== name));
}
