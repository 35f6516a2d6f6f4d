import type { JsonObject } from "@rad/core";

/** What `getGraph` answers, as clients of upstream read it. */
export type ApplicationGraph = {
  resources: GraphNode[];
  /** SVG texts by hash; only where they were asked for. */
  icons?: Record<string, string>;
};

export type GraphNode = {
  id: string;
  name: string;
  type: string;
  provisioningState: string;
  connections: GraphConnection[];
  outputResources: GraphOutputResource[];
  properties?: JsonObject;
  /** `Radius.Core` only. */
  iconHash?: string;
};

/** One end of an edge: every edge is told by both of its nodes. */
export type GraphConnection = {
  id: string;
  direction: Direction;
  /** `Radius.Core` only. */
  kind?: EdgeKind;
};

export type Direction = "Outbound" | "Inbound";

/** `Connection`: named by the resource's properties. `Dependency`: by the template that deployed it. */
export type EdgeKind = "Connection" | "Dependency";

export type GraphOutputResource = {
  id: string;
  type: string;
  name: string;
  portalUrl?: string;
};

/** A resource that the graph may show. */
export interface KnownResource {
  readonly id: string;
  readonly properties: JsonObject;
  /** Belongs to the application. The others are shown when something of the application leads to them. */
  readonly isMember: boolean;
}
