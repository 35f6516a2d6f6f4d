import { readText, sendHttp } from "./http-request.ts";

const timeoutMs = 2_000;

/** Whether a control plane takes requests. One that speaks https is taken at its word. */
export async function isReady(url: string): Promise<boolean> {
  if (url.startsWith("https:")) {
    return true; // announced, hence listening; asking more would need its certificate's authority
  }
  try {
    const signals = [AbortSignal.timeout(timeoutMs)];
    const answer = await sendHttp({ method: "GET", url: new URL("/readyz", url), headers: {}, signals });
    await readText(answer);
    return answer.status === 200;
  } catch {
    return false; // not yet
  }
}
