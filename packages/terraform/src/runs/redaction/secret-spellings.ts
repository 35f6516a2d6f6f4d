import { Buffer } from "node:buffer";
import { xmlSpellings } from "@rad/core/xml-spellings";

/** Shorter values would blank ordinary words and digits all over a log. */
const minSecretLength = 4;
/** A line of a value of several lines is hidden by itself from this length on: logs put something before each line. */
const minLineLength = 6;

/**
 * The forms in which one secret value shows up in what Terraform, its providers and its logs print: as it is, quoted by
 * Go, JSON or HCL, once or twice, in XML, in a URL, in base64 at any offset, in hexadecimal digits, and line by line.
 */
export function spellingsOf(secret: string): ReadonlySet<string> {
  const forms = new Set<string>();
  for (const value of [secret, secret.trim(), ...linesOf(secret)]) {
    if (value.length >= minSecretLength) {
      addSpellings(value, forms);
    }
  }
  return forms;
}

function linesOf(secret: string): string[] {
  const lines = secret.split(/\r\n|\r|\n/u);
  return lines.length === 1 ? [] : lines.map((line) => line.trim()).filter((line) => line.length >= minLineLength);
}

function addSpellings(value: string, forms: Set<string>): void {
  const quoted = new Set([value, inJson(value), inGoJson(value), inGoString(value), inHcl(value)]);
  for (const form of quoted) {
    forms.add(form);
    forms.add(inJson(form));
    forms.add(inGoJson(form));
    addEncodings(form, forms);
  }
  const escaped = [inAsciiJson(value), inJson(value).replaceAll("/", "\\/"), ...xmlSpellings(value)];
  for (const form of escaped) {
    forms.add(form);
    forms.add(inJson(form));
    forms.add(inGoJson(form));
  }
  addUrlForms(value, forms);
}

/** Bytes that are encoded as a whole, perhaps with others around them. */
function addEncodings(value: string, forms: Set<string>): void {
  const bytes = Buffer.from(value, "utf8");
  const hex = bytes.toString("hex");
  forms.add(hex);
  forms.add(hex.toUpperCase());
  for (const before of [0, 1, 2]) {
    const part = base64At(bytes, before);
    if (part.length >= minSecretLength) {
      forms.add(part);
      forms.add(part.replaceAll("+", "-").replaceAll("/", "_"));
      forms.add(part.replaceAll("+", "%2B").replaceAll("/", "%2F"));
    }
  }
}

/** The characters of base64 that `bytes` alone decide, when `before` bytes come before them in a group of three. */
function base64At(bytes: Buffer, before: number): string {
  const text = Buffer.concat([Buffer.alloc(before), bytes])
    .toString("base64")
    .replaceAll("=", "");
  const bits = (before + bytes.length) * 8;
  return text.slice(Math.ceil((before * 8) / 6), Math.floor(bits / 6));
}

function addUrlForms(value: string, forms: Set<string>): void {
  const text = value.toWellFormed();
  const component = encodeURIComponent(text);
  const strict = component.replaceAll(/[!'()*]/gu, (character) => percent(character));
  const keeping = (codes: RegExp): string => strict.replaceAll(codes, (escape) => decodeURIComponent(escape));
  const segment = keeping(/%(?:24|26|2B|3A|3D|40)/gu);
  const path = keeping(/%(?:24|26|2B|2C|2F|3A|3B|3D|40)/gu);
  const userInfo = keeping(/%(?:24|26|2B|2C|3B|3D)/gu);
  const shell = keeping(/%2F/gu); // as Python quotes
  for (const form of [
    component,
    strict,
    segment,
    path,
    userInfo,
    shell,
    encodeURI(text),
    strict.replaceAll("%20", "+"),
  ]) {
    forms.add(form);
    forms.add(form.replaceAll(/%[0-9A-F]{2}/gu, (escape) => escape.toLowerCase()));
    forms.add(encodeURIComponent(form));
  }
}

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

function inJson(value: string): string {
  return JSON.stringify(value).slice(1, -1);
}

/** As Go's encoder writes it: safe to put into HTML. */
function inGoJson(value: string): string {
  return inJson(value).replaceAll(/[<>&\u2028\u2029]/gu, (character) => unicodeEscape(character));
}

/** As writers that keep to ASCII do it, such as Python's. */
function inAsciiJson(value: string): string {
  return inJson(value).replaceAll(/[\u0080-\uffff]/g, (character) => unicodeEscape(character));
}

/** As `%q` prints it. */
function inGoString(value: string): string {
  return quoted(value, { "\u0007": "\\a", "\b": "\\b", "\f": "\\f", "\v": "\\v" }, (digits) => `\\x${digits}`);
}

/** As a template of HCL, where `${` and `%{` begin an expression. */
function inHcl(value: string): string {
  return quoted(value, {}, (digits) => `\\u00${digits}`)
    .replaceAll("${", "$${")
    .replaceAll("%{", "%%{");
}

const namedInBoth: Readonly<Record<string, string>> = {
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  '"': '\\"',
  "\\": "\\\\",
};

/** Go escapes what nobody sees, too: joiners of emoji, spaces that are no blanks, marks of direction. */
function quoted(value: string, named: Readonly<Record<string, string>>, control: (digits: string) => string): string {
  return value.replaceAll(/["\\]|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    const digits = code.toString(16);
    if (code < 0x20 || code === 0x7f) {
      return namedInBoth[character] ?? named[character] ?? control(digits.padStart(2, "0"));
    }
    return (
      namedInBoth[character] ?? (code > 0xffff ? `\\U${digits.padStart(8, "0")}` : `\\u${digits.padStart(4, "0")}`)
    );
  });
}

function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
