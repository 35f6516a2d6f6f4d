import { isJsonObject } from "@rad/core/json";
import { readText, sendHttp } from "./http-request.ts";

const timeoutMs = 2_000;

export interface Readiness {
  readonly ready: boolean;
  /** What the control plane says about it, if it says anything. */
  readonly reason?: string;
}

/** Asks whether a control plane takes requests. Its certificate is not checked: no token is sent. */
export async function askReadiness(url: string): Promise<Readiness> {
  try {
    const answer = await sendHttp({
      method: "GET",
      url: new URL("/readyz", url),
      headers: {},
      ...(url.startsWith("https:") ? { tls: { rejectUnauthorized: false } } : {}),
      signals: [AbortSignal.timeout(timeoutMs)],
    });
    const text = await readText(answer);
    return answer.status === 200 ? { ready: true } : { ready: false, ...reasonIn(text) };
  } catch {
    return { ready: false }; // not yet
  }
}

function reasonIn(text: string): { reason?: string } {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return {};
  }
  const error = isJsonObject(body) ? body["error"] : undefined;
  const message = isJsonObject(error) ? error["message"] : undefined;
  return typeof message === "string" ? { reason: message } : {};
}
