import type { Answer } from "@rad/modules";

/**
 * @throws Error for an answer that does not say where it ends, or says so in two ways: what follows on the connection
 * would be taken for a part of it.
 */
export function requireEnd({ status, headers }: Answer): void {
  if (status < 200) {
    throw new Error(`The status ${status} of an answer promises another answer.`);
  }
  for (const name in headers) {
    const value = headers[name];
    switch (name.toLowerCase()) {
      case "transfer-encoding":
        throw new Error("The answer has a Transfer-Encoding, which is the server's to choose.");
      case "content-length":
        if (!/^\d+$/.test(String(value))) {
          throw new Error(`The answer has the Content-Length '${String(value)}', which is no number.`);
        }
        break;
      default:
    }
  }
}
