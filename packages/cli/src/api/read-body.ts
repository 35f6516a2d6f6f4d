import { type HttpAnswer, readText } from "@rad/client";
import { CliError, systemCode } from "../cli-error.ts";

/** All of an answer's body. @throws CliError when the connection ends before it does */
export async function readBody(answer: HttpAnswer): Promise<string> {
  try {
    return await readText(answer);
  } catch (error) {
    if (systemCode(error) !== "ECONNRESET") {
      throw error;
    }
    const message = "The connection ended in the middle of the control plane's answer. Try again.";
    throw new CliError("ConnectionFailed", message, { cause: error });
  }
}
