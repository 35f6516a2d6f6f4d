import { readFile } from "node:fs/promises";
import https from "node:https";
import type { KubernetesObject } from "@rad/kubernetes";
import type { OwnTestCluster } from "@rad/kubernetes/testing";

/** Sends requests with nothing around them: one agent with keep-alive, JSON in and out. */
export interface BareClient extends Disposable {
  send<T>(method: string, path: string, body?: object): Promise<T>;
  apply(object: KubernetesObject): Promise<void>;
}

export async function bareClient({ url, caFile, token }: OwnTestCluster, maxSockets: number): Promise<BareClient> {
  const agent = new https.Agent({ keepAlive: true, maxSockets, ca: await readFile(caFile) });

  async function send<T>(method: string, path: string, body?: object, type = "application/json"): Promise<T> {
    const headers = { authorization: `Bearer ${token}`, "content-type": type };
    const { status, text } = await new Promise<{ status: number; text: string }>((resolve, reject) => {
      const request = https.request(`${url}${path}`, { method, agent, headers });
      request.on("error", reject);
      request.on("response", (message) => {
        const chunks: Buffer[] = [];
        message.on("data", (chunk: Buffer) => chunks.push(chunk));
        message.on("end", () => resolve({ status: message.statusCode ?? 0, text: Buffer.concat(chunks).toString() }));
      });
      request.end(body === undefined ? undefined : JSON.stringify(body));
    });
    if (status >= 300) {
      throw new Error(text);
    }
    return JSON.parse(text) as T;
  }

  return {
    send: async (method, path, body) => await send(method, path, body),
    apply: async (object) => {
      const query = "fieldManager=radius-rp&fieldValidation=Strict";
      await send("PATCH", `${pathOf(object)}?${query}`, object, "application/apply-patch+yaml");
    },
    [Symbol.dispose]: () => agent.destroy(),
  };
}

function pathOf({ apiVersion, kind, metadata }: KubernetesObject): string {
  const root = apiVersion === "v1" ? "/api/v1" : `/apis/${apiVersion}`;
  return `${root}/namespaces/${metadata.namespace}/${kind.toLowerCase()}s/${metadata.name}`;
}
