export { applicationGraph } from "./application-graph.ts";
export { isScopeType, withDependencies } from "./dependency-edges.ts";
export type { DependencyEdges } from "./dependency-edges.ts";
export type {
  ApplicationGraph,
  Direction,
  EdgeKind,
  GraphConnection,
  GraphNode,
  GraphOutputResource,
  KnownResource,
} from "./graph-shape.ts";
