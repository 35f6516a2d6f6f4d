/** What this program is; shown by `rad version` and `GET /version`. */
export const buildInfo = {
  channel: "edge",
  release: "edge",
  version: "0.1.0",
  commit: "",
  bicep: "0.1.0",
  chartVersion: "",
} as const;
