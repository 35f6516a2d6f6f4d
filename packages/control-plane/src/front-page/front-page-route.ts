import { jsonAnswer, type Route } from "@rad/modules";
import { prefersType } from "../api/prefers-type.ts";
import { buildInfo } from "../build-info.ts";

export interface FrontPageLink {
  /** Its name in the JSON form. */
  readonly name: string;
  /** Below the base path. */
  readonly path: string;
  readonly title: string;
  readonly needsToken: boolean;
}

/** `GET /`: the version, and where to go on; as a page for browsers. Open to all, so it says nothing of what is stored. */
export function frontPageRoute(metricsPath: string): Route {
  const links: readonly FrontPageLink[] = [
    { name: "health", path: "/healthz", title: "Health: whether the process is alive", needsToken: false },
    { name: "readiness", path: "/readyz", title: "Readiness: whether the database answers", needsToken: false },
    { name: "version", path: "/version", title: "Version", needsToken: false },
    { name: "openapi", path: "/openapi.json", title: "The API as an OpenAPI document", needsToken: true },
    { name: "metrics", path: metricsPath, title: "Metrics, for Prometheus", needsToken: true },
    { name: "audit", path: "/audit", title: "The audit log, as JSON lines", needsToken: true },
    {
      name: "planes",
      path: "/planes?api-version=2023-10-01-preview",
      title: "Planes: the roots of all resources",
      needsToken: true,
    },
  ];
  return {
    method: "GET",
    path: "/",
    permission: undefined,
    handle: async ({ headers, linkBase }) => {
      const { version } = buildInfo;
      if (prefersType(headers["accept"], "text/html")) {
        const { frontPage, frontPageHeaders } = await import("./front-page.ts"); // for people, who come rarely
        return { status: 200, headers: frontPageHeaders, body: frontPage({ version, links }) };
      }
      const urls = Object.fromEntries(links.map(({ name, path }) => [name, `${linkBase}${path}`]));
      return jsonAnswer(200, { name: "Radius", version, documentation, links: urls }, { Vary: "Accept" });
    },
  };
}

/** Files of the repository: where it is published is not for the server to know. */
export const documentation = [
  "README.md",
  "docs/tutorial.md",
  "docs/api.md",
  "docs/manifests.md",
  "docs/cli.md",
  "docs/errors.md",
  "docs/configuration.md",
  "docs/operations.md",
  "docs/status.md",
] as const;
