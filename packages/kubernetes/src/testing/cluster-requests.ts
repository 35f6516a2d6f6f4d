import { readFileSync } from "node:fs";
import https from "node:https";
import type { JsonObject } from "@rad/core";
import type { ClusterDescription } from "./server/cluster-description.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export interface RequestOptions {
  /** `application/json`, and `application/merge-patch+json` for PATCH, when absent. */
  readonly contentType?: string;
}

/** The API server refused a request. */
export class RefusedRequest extends Error {
  override readonly name = "RefusedRequest";
  readonly status: number;
  /** As the server states it: `NotFound`, `AlreadyExists`, … */
  readonly reason: string;

  constructor(call: string, status: number, text: string) {
    const { reason = "", message = text } = parsed(text) as { reason?: string; message?: string };
    super(`${call}: ${status} ${message}`);
    this.status = status;
    this.reason = reason;
  }
}

/** Sends requests with one token, for what tests arrange and assert. */
export function requestsOf({ url, caFile }: Pick<ClusterDescription, "url" | "caFile">, token: string) {
  const agent = new https.Agent({ keepAlive: true, ca: readFileSync(caFile) });

  /** @returns the body: what is in the JSON, or a text. @throws RefusedRequest */
  return async function request(
    method: Method,
    path: string,
    body?: unknown,
    options: RequestOptions = {},
  ): Promise<unknown> {
    const contentType =
      options.contentType ?? (method === "PATCH" ? "application/merge-patch+json" : "application/json");
    const headers = { authorization: `Bearer ${token}`, accept: "application/json", "content-type": contentType };
    const { status, text } = await new Promise<{ status: number; text: string }>((resolve, reject) => {
      const call = https.request(`${url}${path}`, { method, agent, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () =>
          resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString("utf8") }),
        );
      });
      call.on("error", reject);
      call.end(body === undefined ? undefined : JSON.stringify(body));
    });
    if (status >= 300) {
      throw new RefusedRequest(`${method} ${path}`, status, text);
    }
    return parsed(text);
  };
}

function parsed(text: string): JsonObject | string {
  try {
    return JSON.parse(text) as JsonObject;
  } catch {
    return text;
  }
}
