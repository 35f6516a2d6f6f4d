import assert from "node:assert/strict";
import { it } from "node:test";
import fc from "fast-check";
import { runMessage } from "./run-message.ts";

const name = fc.constantFrom("rad_0", "rad_17");
/** PostgreSQL has no text with NUL, and half of a pair of surrogates has no bytes. */
const value = fc.option(fc.string({ unit: "grapheme" }).filter((text) => !text.includes("\0")));

it("a server reads the name and the values that were given, and then Execute and Sync", () => {
  fc.assert(
    fc.property(name, fc.array(value), fc.boolean(), (statement, values, asksForColumns) => {
      const [bind, ...rest] = messagesIn(runMessage(statement, values, { asksForColumns }));
      assert.deepEqual(readBind(bind), { portal: "", statement, formats: 0, values, resultFormats: 0 });
      assert.deepEqual(
        rest.map(({ code, content }) => [code, content.toString("latin1")]),
        [...(asksForColumns ? [["D", "P\0"]] : []), ["E", "\0\0\0\0\0"], ["S", ""]],
      );
    }),
  );
});

interface Message {
  readonly code: string;
  readonly content: Buffer;
}

function messagesIn(bytes: Buffer): readonly Message[] {
  const messages: Message[] = [];
  for (let at = 0; at < bytes.length;) {
    const end = at + 1 + bytes.readInt32BE(at + 1);
    messages.push({ code: bytes.toString("latin1", at, at + 1), content: bytes.subarray(at + 5, end) });
    at = end;
  }
  return messages;
}

function readBind(message: Message | undefined): object {
  assert.ok(message?.code === "B");
  const { content } = message;
  let at = 0;
  const text = (length: number): string => content.toString("utf8", at, (at += length));
  const name = (): string => {
    const found = text(content.indexOf(0, at) - at);
    at += 1;
    return found;
  };
  const count = (): number => content.readInt16BE((at += 2) - 2);
  const [portal, statement, formats] = [name(), name(), count()];
  const values = Array.from({ length: count() }, () => {
    const length = content.readInt32BE((at += 4) - 4);
    return length === -1 ? null : text(length);
  });
  return { portal, statement, formats, values, resultFormats: count() };
}
