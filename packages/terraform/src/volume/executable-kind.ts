import type { Platform } from "../platform.ts";

/** What a file is, by how it begins. */
export type FileKind =
  | { readonly kind: "zip" }
  | { readonly kind: "script" }
  | { readonly kind: "program"; readonly format: "ELF" | "Mach-O" | "PE"; readonly arch: string | undefined }
  | { readonly kind: "other"; readonly what: string };

/** So many bytes of a file tell its kind. */
export const headBytes = 64;

/** A file, no file at all, a part of an archive. */
const zipStarts = ["PK\u0003\u0004", "PK\u0005\u0006", "PK\u0007\u0008"];
const elfMachines: Readonly<Record<number, string>> = {
  3: "386",
  21: "ppc64le",
  22: "s390x",
  40: "arm",
  62: "amd64",
  183: "arm64",
  243: "riscv64",
};
const machMachines: Readonly<Record<number, string>> = { 0x01000007: "amd64", 0x0100000c: "arm64" };

export function fileKind(head: Buffer): FileKind {
  const text = head.toString("latin1");
  if (zipStarts.some((start) => text.startsWith(start))) {
    return { kind: "zip" };
  }
  if (text.startsWith("\u007fELF") && head.length >= 20) {
    const machine = head[5] === 2 ? head.readUInt16BE(18) : head.readUInt16LE(18);
    return { kind: "program", format: "ELF", arch: elfMachines[machine] ?? `machine ${machine}` };
  }
  if (text.startsWith("\u00cf\u00fa\u00ed\u00fe") && head.length >= 8) {
    return { kind: "program", format: "Mach-O", arch: machMachines[head.readUInt32LE(4)] };
  }
  if (text.startsWith("\u00ca\u00fe\u00ba\u00be")) {
    return { kind: "program", format: "Mach-O", arch: undefined }; // for several
  }
  if (text.startsWith("MZ")) {
    return { kind: "program", format: "PE", arch: undefined };
  }
  return text.startsWith("#!") ? { kind: "script" } : { kind: "other", what: describe(text) };
}

/** Whether a machine runs programs of this kind. */
export function runsOn(kind: FileKind, { os, arch }: Platform): boolean {
  if (kind.kind !== "program") {
    return kind.kind === "script";
  }
  const formats: Readonly<Record<string, string>> = { darwin: "Mach-O", windows: "PE" };
  return kind.format === (formats[os] ?? "ELF") && (kind.arch === undefined || kind.arch === arch);
}

function describe(text: string): string {
  if (text === "") {
    return "it is empty";
  }
  if (/^[\s\u00ef\u00bb\u00bf]*</u.test(text)) {
    return "it begins like a web page";
  }
  if (/^\s*[[{]/u.test(text)) {
    return "it begins like JSON";
  }
  if (text.startsWith("\u001f\u008b")) {
    return "it is compressed by gzip";
  }
  return "it begins like no such file";
}
