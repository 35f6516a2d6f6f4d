const timeoutMs = 2_000;

/** Whether a control plane takes requests. One that speaks https is taken at its word. */
export async function isReady(url: string): Promise<boolean> {
  if (url.startsWith("https:")) {
    return true; // announced, hence listening; asking more would need its certificate's authority
  }
  try {
    const response = await fetch(new URL("/readyz", url), {
      signal: AbortSignal.timeout(timeoutMs),
      redirect: "manual",
    });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false; // not yet
  }
}
