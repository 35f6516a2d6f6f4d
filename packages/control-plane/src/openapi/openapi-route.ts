import type { Route } from "@rad/modules";
import type { ServedTypes } from "./served-openapi.ts";

/** `GET /openapi.json`: written anew for each request, because what is registered may have changed. */
export function openApiRoute(backend: () => Promise<ServedTypes>, metricsPath: string): Route {
  return {
    method: "GET",
    path: "/openapi.json",
    permission: "System.Resources/openapi/read",
    handle: async () => {
      const served = await backend();
      const { servedOpenApi } = await import("./served-openapi.ts"); // few ask for it
      return { status: 200, headers: { "Content-Type": "application/json" }, body: servedOpenApi(served, metricsPath) };
    },
  };
}
