import { readFile } from "node:fs/promises";
import { request } from "node:https";
import { text } from "node:stream/consumers";

export interface TlsReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

interface TlsCall {
  readonly caFile: string;
  readonly method?: string;
  readonly token?: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One request over TLS, to a server whose certificate `caFile` must have signed. */
export async function callOverTls(
  url: string,
  { caFile, token, body, headers: more = {}, ...options }: TlsCall,
): Promise<TlsReply> {
  const ca = await readFile(caFile);
  return new Promise((resolve, reject) => {
    const headers = {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...more,
    };
    const sent = request(url, { agent: false, ...options, ca, headers }, (answer) => {
      text(answer).then(
        (read) => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text: read }),
        reject,
      );
    });
    sent.on("error", reject).end(body === undefined ? undefined : JSON.stringify(body));
  });
}
