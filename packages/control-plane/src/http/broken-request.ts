import { ApiError } from "@rad/core";
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { errorAnswer } from "./error-answer.ts";

/**
 * Answers requests that never became one: headers that are too large, or that took too long to arrive.
 * @param latest the response to the last request on the connection that did become one.
 */
export function answerBrokenRequest(
  error: Error & { code?: string },
  socket: Socket,
  latest: ServerResponse | undefined,
): void {
  if (!socket.writable || error.code === "ECONNRESET" || isBeingAnswered(latest)) {
    socket.destroy();
    return;
  }
  const { status, json } = errorAnswer(describeBrokenRequest(error.code));
  const head = `HTTP/1.1 ${status} -\r\nContent-Type: application/json\r\nConnection: close\r\n`;
  socket.end(`${head}Content-Length: ${Buffer.byteLength(json ?? "")}\r\n\r\n${json}`);
}

/** Whether another answer has begun, or waits for its turn behind one: these bytes would be taken for a part of it. */
function isBeingAnswered(latest: ServerResponse | undefined): boolean {
  return latest !== undefined && !latest.writableFinished && (latest.headersSent || latest.socket === null);
}

function describeBrokenRequest(code: string | undefined): ApiError {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return new ApiError("RequestHeaderFieldsTooLarge", "The request's headers are larger than this server accepts.");
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return new ApiError("RequestTimeout", "The request did not arrive in time.");
    default:
      return new ApiError("BadRequest", "The request is not valid HTTP.");
  }
}
