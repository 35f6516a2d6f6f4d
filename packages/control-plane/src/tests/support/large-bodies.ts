/** Bodies that are as large as the server takes, each costly in its own way. Built where they are sent from. */
export const largeBodies: Readonly<Record<string, () => string | Uint8Array<ArrayBuffer>>> = {
  "8 MB of numbers": () => body(`[${"1,".repeat(4_190_000)}1]`),
  "8 MB of long numbers": () => body(`[${"123456789012345,".repeat(520_000)}1234567890123456]`),
  "490,000 numbers": () => body(`[${"1,".repeat(490_000)}1]`),
  "600,000 members": () => body(members(600_000, () => "1")),
  "99,000 members": () => body(members(99_000, () => "1")),
  "99,000 other members": () => body(members(99_000, () => "2")),
  "99,000 properties": () => `{"properties":${members(99_000, () => "1")}}`,
  "99,000 tags": () => `{"tags":${members(99_000)},"properties":{}}`,
  "99,000 wrong tags": () => `{"tags":${members(99_000, () => "1")},"properties":{}}`,
  "8 MB of text": () => body(`"${"x".repeat(8_300_000)}"`),
  "8 MB of escapes": () => body(`"${"\\u00e9".repeat(1_380_000)}"`),
  "8 MB of two-byte text": () => body(`"${"é".repeat(4_150_000)}"`),
  "8 MB that end with an invalid byte": () => {
    const bytes = new TextEncoder().encode(body(`"${"é".repeat(4_150_000)}"`));
    bytes[bytes.length - 4] = 0xff;
    return bytes;
  },
  "8 MB of brackets": () => "[".repeat(8_000_000),
  "8 MB of blanks": () => " ".repeat(8_300_000),
  "deep lists": () => body(`[${Array.from({ length: 290 }, () => "[".repeat(390) + "]".repeat(390)).join(",")}]`),
  "100,000 texts in members": () => body(members(100_000)),
  "100,000 texts": () => body(items(100_000, (index) => `"value number ${index} here"`)),
  "one item of 99,000 members": () => body(`[${members(99_000)}]`),
  "50,000 empty objects": () => body(items(50_000, () => "{}")),
  "a text of 15,000 characters": () => body(`"${"a".repeat(15_000)}"`),
};

function body(m: string): string {
  return `{"properties":{"m":${m}}}`;
}

function members(count: number, value = (index: number): string => `"value number ${index} here"`): string {
  return `{${Array.from({ length: count }, (_, index) => `"key${index}":${value(index)}`).join(",")}}`;
}

function items(count: number, value: (index: number) => string): string {
  return `[${Array.from({ length: count }, (_, index) => value(index)).join(",")}]`;
}
