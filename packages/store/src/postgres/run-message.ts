/** What follows Bind when the columns are not known yet: Describe of the portal. */
const describe = Buffer.from("D\0\0\0\x06P\0", "latin1");
/** Execute without a limit, and Sync. */
const executeAndSync = Buffer.from("E\0\0\0\x09\0\0\0\0\0S\0\0\0\x04", "latin1");

/** Of Bind: its code, length, the name of the portal, that of the statement without its text, and the counts. */
const bindLength = 1 + 4 + 1 + 1 + 2 + 2 + 2;
const absent = -1;

/**
 * The messages that run a prepared statement once, in one piece: `pg` makes one of each, and the system is handed all of
 * them one by one.
 * @param values as text, of which the database knows the types
 */
export function runMessage(
  name: string,
  values: readonly (string | null)[],
  { asksForColumns }: { readonly asksForColumns: boolean },
): Buffer {
  const tail = asksForColumns ? [describe, executeAndSync] : [executeAndSync];
  const lengths = values.map((value) => (value === null ? absent : Buffer.byteLength(value)));
  const size = lengths.reduce((sum, length) => sum + 4 + Math.max(length, 0), bindLength + Buffer.byteLength(name));
  const message = Buffer.allocUnsafe(tail.reduce((sum, { length }) => sum + length, size));
  let at = message.write("B", 0, "latin1");
  at = message.writeInt32BE(size - 1, at);
  at = message.writeInt8(0, at); // the portal without a name
  at += message.write(name, at);
  at = message.writeInt8(0, at);
  at = message.writeInt16BE(0, at); // all values are text
  at = message.writeInt16BE(values.length, at);
  for (let index = 0; index < values.length; index += 1) {
    at = message.writeInt32BE(lengths[index] ?? absent, at);
    at += message.write(values[index] ?? "", at);
  }
  at = message.writeInt16BE(0, at); // and so is what it returns
  for (const part of tail) {
    at += part.copy(message, at);
  }
  return message;
}
