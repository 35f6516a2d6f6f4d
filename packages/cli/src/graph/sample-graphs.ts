import type { JsonObject } from "@rad/core";

const scope = "/planes/radius/local/resourceGroups/shop/providers";

interface Sample {
  readonly type: string;
  readonly name: string;
  readonly to?: readonly number[];
  readonly after?: readonly number[];
  readonly more?: JsonObject;
}

/** A graph as the control plane sends it; `to` and `after` have the places of connections and dependencies. */
export function sampleGraph(samples: readonly Sample[], icons?: JsonObject): JsonObject {
  const idOf = (index: number): string => `${scope}/${samples[index]?.type}/${samples[index]?.name}`;
  const edges = samples.flatMap(({ to = [], after = [] }, from) => [
    ...to.map((end) => ({ from, end, kind: "Connection" })),
    ...after.map((end) => ({ from, end, kind: "Dependency" })),
  ]);
  return {
    resources: samples.map(({ type, name, more }, index) => ({
      id: idOf(index),
      name,
      type,
      provisioningState: "Succeeded",
      connections: [
        ...edges
          .filter(({ from }) => from === index)
          .map(({ end, kind }) => ({ id: idOf(end), direction: "Outbound", kind })),
        ...edges
          .filter(({ end }) => end === index)
          .map(({ from, kind }) => ({ id: idOf(from), direction: "Inbound", kind })),
      ],
      outputResources: [],
      ...more,
    })),
    ...(icons === undefined ? {} : { icons }),
  };
}

/** The example of the documentation: a gateway, a container and a cache. */
export const smallGraph: JsonObject = sampleGraph([
  {
    type: "Applications.Core/gateways",
    name: "edge",
    to: [1],
    more: { outputResources: [{ id: "", type: "projectcontour.io/HTTPProxy", name: "edge" }] },
  },
  {
    type: "Applications.Core/containers",
    name: "web",
    to: [2],
    more: {
      outputResources: [
        { id: "", type: "apps/Deployment", name: "web" },
        { id: "", type: "core/Service", name: "web" },
      ],
    },
  },
  { type: "Applications.Datastores/redisCaches", name: "cache" },
]);

const types = [
  "Applications.Core/containers",
  "Radius.Compute/containers",
  "Applications.Datastores/redisCaches",
  "Radius.Data/postgreSqlDatabases",
  "Applications.Dapr/pubSubBrokers",
];

/** Gateways in front of services that use each other and a few stores; some resources stand alone. */
export function largeGraph(size: number): JsonObject {
  return sampleGraph(
    Array.from({ length: size }, (_, index) => {
      const isAlone = index % 10 === 9;
      const ends = [index * 2 + 1, index * 2 + 2, index + 7].filter((end) => end < size && end % 10 !== 9);
      return {
        type: types[index % types.length] ?? "",
        name: `${["orders", "payment-gateway", "mail", "recommendation-service", "ui"][index % 5]}-${index}`,
        ...(isAlone ? {} : { to: ends.slice(0, 2), after: ends.slice(2) }),
      };
    }),
  );
}
