/** A tar archive with these files. */
export function tarOf(files: Readonly<Record<string, string>>): Buffer {
  const blocks = Object.entries(files).flatMap(([path, text]) => entry(path, Buffer.from(text), "0"));
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

/** The blocks of one entry; `kind` is the type flag of its header. */
export function entry(path: string, content: Buffer, kind: string): Buffer[] {
  const header = Buffer.alloc(512);
  header.write(path.slice(0, 100), 0);
  header.write("0000644\0", 100);
  header.write(`${content.length.toString(8).padStart(11, "0")}\0`, 124);
  header.write(kind, 156);
  header.write("ustar\0", 257);
  header.fill(" ", 148, 156);
  header.write(
    `${header
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, "0")}\0 `,
    148,
  );
  return [header, content, Buffer.alloc((512 - (content.length % 512)) % 512)];
}
