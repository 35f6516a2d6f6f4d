/** What this program is; shown by `rad version` and `GET /version`. */
export const buildInfo = {
  channel: "edge",
  release: "edge",
  version: "0.1.0",
  commit: "",
  bicep: "",
  chartVersion: "",
} as const;
