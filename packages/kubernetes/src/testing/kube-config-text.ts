import { readFile } from "node:fs/promises";
import { stringify } from "yaml";

export interface KubeConfigPlace {
  readonly context: string;
  readonly url: string;
  readonly caFile: string;
}

/** A kube config whose only context has this token. */
export async function kubeConfigText({ context, url, caFile }: KubeConfigPlace, token: string): Promise<string> {
  const ca = await readFile(caFile);
  return stringify({
    apiVersion: "v1",
    kind: "Config",
    "current-context": context,
    clusters: [{ name: context, cluster: { server: url, "certificate-authority-data": ca.toString("base64") } }],
    users: [{ name: "user", user: { token } }],
    contexts: [{ name: context, context: { cluster: context, user: "user" } }],
  });
}
