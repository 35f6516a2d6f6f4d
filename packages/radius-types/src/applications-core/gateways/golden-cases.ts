import type { JsonObject } from "@rad/core";
import type { PublicEndpoint } from "../../rendering/renderer.ts";
import type { GoldenCase, GoldenType } from "../../testing/golden-type.ts";
import { applicationId, inGroup } from "../../testing/ids.ts";
import { fullBodies } from "./full-body.ts";
import { gatewayRenderer } from "./render/gateway-renderer.ts";
import { gateways } from "./schema.ts";

const certificateFrom = inGroup("Applications.Core/secretStores/cert");
const certificate = {
  id: certificateFrom,
  properties: { type: "certificate", data: { "tls.crt": {}, "tls.key": {} }, resource: "prod-shop/cert" },
};
const container = (name: string, ports: JsonObject): { id: string; properties: JsonObject } => ({
  id: inGroup(`Applications.Core/containers/${name}`),
  properties: { container: { image: "web:1", ports } },
});
const simple = { application: applicationId, routes: [{ path: "/", destination: "http://web:3000" }] };
const metadata = (entries: JsonObject): JsonObject => ({ extensions: [{ kind: "kubernetesMetadata", ...entries }] });

const address: PublicEndpoint = { kind: "address", ip: "10.1.2.3" };
const loadBalancer: PublicEndpoint = { kind: "hostname", hostname: "lb.example" };
const override: PublicEndpoint = { kind: "override", host: "demo.example", port: "8443" };

const hostnames: readonly (readonly [name: string, JsonObject | undefined, PublicEndpoint | undefined])[] = [
  ["override", undefined, override],
  ["override beats a full hostname", { fullyQualifiedHostname: "a.example" }, { ...override, port: undefined }],
  ["full hostname beats a prefix", { fullyQualifiedHostname: "a.example", prefix: "b" }, address],
  ["address", undefined, address],
  ["address with a prefix", { prefix: "shop" }, address],
  ["hostname of a load balancer", undefined, loadBalancer],
  ["hostname of a load balancer with a prefix", { prefix: "shop" }, loadBalancer],
  ["no public endpoint", undefined, undefined],
];
const hostnameCases = hostnames.map(([name, hostname, publicEndpoint]): GoldenCase => ({
  name: `host: ${name}`,
  resourceName: "Entry",
  properties: { ...simple, ...(hostname === undefined ? {} : { hostname }) },
  ...(publicEndpoint === undefined ? {} : { publicEndpoint }),
}));

export const gatewayGoldens: GoldenType = {
  type: gateways,
  renderer: gatewayRenderer,
  folder: new URL("goldens/", import.meta.url),
  cases: [
    ...fullBodies.map((properties) => ({
      name: "every property",
      resourceName: "entry",
      properties,
      dependencies: [certificate],
    })),
    ...hostnameCases,
    {
      name: "routes: one child for each host, in the order of the routes",
      resourceName: "entry",
      properties: {
        application: applicationId,
        routes: [
          { path: "/api", destination: "http://API:8080", replacePrefix: "/" },
          { path: "/", destination: "http://web" },
          { path: "/v2", destination: "http://api:8080", replacePrefix: "/two" },
          { path: "/secure", destination: "https://vault" },
        ],
      },
    },
    {
      name: "routes: another way to the same host has a child of its own",
      resourceName: "web",
      properties: {
        application: applicationId,
        routes: [
          { path: "/", destination: "http://web:3000" },
          { path: "/admin", destination: "http://web:9000" },
          { path: "/live", destination: "http://web:3000", enableWebsockets: true },
          { path: "/slow", destination: "http://web:3000", timeoutPolicy: { request: "1.5h" } },
          {
            path: "/fast",
            destination: "http://web:3000",
            timeoutPolicy: { request: "2500us", backendRequest: "1ms" },
          },
        ],
      },
    },
    {
      name: "routes: a container by its id",
      resourceName: "entry",
      properties: {
        application: applicationId,
        routes: [
          { path: "/", destination: inGroup("Applications.Core/containers/Web") },
          { path: "/other", destination: inGroup("Applications.Core/containers/other") },
        ],
      },
      dependencies: [
        container("Web", { http: { containerPort: 3000, port: 80 } }),
        container("other", { http: { containerPort: 8080 }, metrics: { containerPort: 9, protocol: "UDP" } }),
      ],
    },
    {
      name: "tls: a certificate in another namespace",
      resourceName: "entry",
      properties: { ...simple, tls: { certificateFrom } },
      dependencies: [{ ...certificate, properties: { ...certificate.properties, resource: "certs/wildcard" } }],
    },
    {
      name: "tls: passthrough to the port of the URL",
      resourceName: "entry",
      properties: {
        application: applicationId,
        routes: [{ destination: "https://web:8443" }],
        tls: { sslPassthrough: true },
      },
      publicEndpoint: { kind: "hostname", hostname: "lb.example" },
    },
    {
      name: "tls: passthrough without a port",
      resourceName: "entry",
      properties: {
        application: applicationId,
        routes: [{ destination: "http://web" }],
        tls: { sslPassthrough: true },
      },
    },
    {
      name: "metadata of the environment and the application",
      resourceName: "Entry",
      properties: simple,
      environment: {
        compute: { kind: "kubernetes", namespace: "prod" },
        ...metadata({ labels: { team: "platform", tier: "edge" }, annotations: { contact: "ops" } }),
      },
      application: metadata({ labels: { team: "shop", "radapp.io/resource": "dropped" }, annotations: { note: "n" } }),
    },
  ],
};
