import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer } from "node:net";

/** Notes every attempt to reach something outside of this machine. */
export interface EgressGuard extends AsyncDisposable {
  /** `dns NAME` and `tcp ADDRESS:PORT`, in order. */
  readonly attempts: readonly string[];
  /** What was noted so far, which is forgotten. */
  take(): readonly string[];
}

/** Where Terraform, git and the rest of the world would be asked. */
const ports = [22, 80, 443, 9418];

/** Every name is said to be there, so that a connection to it is noted too. */
const elsewhere = [198, 51, 100, 7];

/**
 * For a network namespace in which every address leads to this machine: names are asked for here, and connections to
 * addresses other than the loopback's arrive here. Servers of a test listen on 127.0.0.1, so nobody else takes them.
 */
export async function startEgressGuard(): Promise<EgressGuard> {
  await using stack = new AsyncDisposableStack();
  const attempts: string[] = [];
  for (const port of ports) {
    const server = createServer((socket) => {
      attempts.push(`tcp ${socket.localAddress ?? ""}:${port}`);
      socket.on("error", () => {}).destroy();
    });
    server.listen(port, "::");
    await once(server, "listening");
    stack.defer(() => void server.close());
  }
  const names = createSocket("udp4");
  names.on("message", (query, { address, port }) => {
    const { name, end, isIpv4 } = questionOf(query);
    attempts.push(`dns ${name}`);
    names.send(answerTo(query.subarray(0, end), isIpv4), port, address);
  });
  names.bind(53);
  await once(names, "listening");
  stack.defer(() => void names.close());
  const owned = stack.move();
  return {
    attempts,
    take: () => attempts.splice(0),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** RFC 1035, section 4.1.2: labels with their lengths after twelve bytes, then type and class. */
function questionOf(query: Buffer): { readonly name: string; readonly end: number; readonly isIpv4: boolean } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join("."), end: at + 5, isIpv4: query.readUInt16BE(at + 1) === 1 };
}

function answerTo(question: Buffer, isIpv4: boolean): Buffer {
  const header = Buffer.from(question.subarray(0, 12));
  header.writeUInt16BE(0x81_80, 2);
  header.writeUInt16BE(isIpv4 ? 1 : 0, 6);
  header.writeUInt32BE(0, 8);
  const record = Buffer.from([0xc0, 0x0c, 0, 1, 0, 1, 0, 0, 0, 1, 0, 4, ...elsewhere]);
  return Buffer.concat([header, question.subarray(12), ...(isIpv4 ? [record] : [])]);
}
