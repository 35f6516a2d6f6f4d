import { jsonAnswer, type Route } from "@rad/modules";

const discovery = {
  kind: "APIResourceList",
  apiVersion: "v1alpha3",
  groupVersion: "api.ucp.dev/v1alpha3",
  resources: [],
};
const info = { title: "Radius APIService", version: "v1alpha3" };

/** What Kubernetes asks an aggregated API server before it sends it anything; open to all. */
export function discoveryRoutes(): Route[] {
  const open = (path: string, body: object): Route => {
    const answer = jsonAnswer(200, body);
    return { method: "GET", path, permission: undefined, handle: () => answer };
  };
  return [
    open("", discovery),
    open("/openapi/v2", { swagger: "2.0", info, paths: {} }),
    open("/openapi/v3", { openapi: "3.0.0", info, paths: {} }),
  ];
}
