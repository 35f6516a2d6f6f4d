// Serves one file from memory, as large as its argument says, and prints its port.
import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";

const bytes = Number(process.argv[2]);
const chunk = randomBytes(1 << 20);

function* content(): Iterable<Buffer> {
  for (let sent = 0; sent < bytes; sent += chunk.length) {
    yield chunk;
  }
}

const server = createServer((_request, response) => {
  response.writeHead(200, { "content-length": bytes });
  Readable.from(content(), { objectMode: false, highWaterMark: chunk.length }).pipe(response);
});
server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
