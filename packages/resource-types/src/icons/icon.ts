import { readElements, XmlError } from "./xml.ts";
import type { XmlElement } from "./xml.ts";

/** The hash that types without an icon of their own report; it belongs to the product's default icon. */
export const defaultIconHash = "98fde6b7efcad66b37ad3014e63b3965f13d82a524a07cb53e690ef5287cb037";

const maxBytes = 32 * 1024;

const forbiddenElements = new Set([
  "script",
  "style",
  "foreignobject",
  "animate",
  "animatemotion",
  "animatetransform",
  "set",
  "discard",
]);

/** Presentation attributes that can load something. */
const paintAttributes = /^(?:fill|stroke|filter|mask|clip-path|marker.*|cursor)$/;
const localUrl = /url\(\s*(?:#[^\s"'()]*|"#[^"()]*"|'#[^'()]*')\s*\)/gi;

/**
 * What is wrong with an icon, as one sentence; `undefined` when it will do. Icons are shown inside other people's
 * pages, so nothing that runs, styles the page or loads from elsewhere gets in.
 */
export function checkIcon(svg: string): string | undefined {
  if (svg.trim() === "") {
    return "The icon is empty.";
  }
  if (new TextEncoder().encode(svg).length > maxBytes) {
    return `The icon is larger than ${maxBytes / 1024} KiB.`;
  }
  try {
    return checkElements(readElements(svg));
  } catch (error) {
    if (error instanceof XmlError) {
      return `The icon is not a well-formed SVG document: ${error.message}.`;
    }
    throw error;
  }
}

function checkElements(elements: Iterable<XmlElement>): string | undefined {
  let isRoot = true;
  let problem: string | undefined;
  // Reads to the end even after a problem: that the text is not XML at all is the better answer.
  for (const element of elements) {
    if (isRoot && localName(element.name) !== "svg") {
      problem ??= `The icon's root element must be <svg>, not <${element.name}>.`;
    }
    isRoot = false;
    problem ??= checkElement(element);
  }
  return problem;
}

function checkElement(element: XmlElement): string | undefined {
  if (forbiddenElements.has(localName(element.name).toLowerCase())) {
    return `The icon must not contain <${element.name}>.`;
  }
  for (const [name, value] of element.attributes) {
    const reason = checkAttribute(localName(name).toLowerCase(), value);
    if (reason !== undefined) {
      return `The icon's <${element.name}> has an attribute ${name} that ${reason}.`;
    }
  }
  return undefined;
}

function checkAttribute(name: string, value: string): string | undefined {
  if (name.startsWith("on") || name === "style") {
    return "is not allowed";
  }
  if (name === "href" && !/^(?:#|data:)/i.test(value.trim())) {
    return "may only point to '#…' or 'data:'";
  }
  if (!paintAttributes.test(name)) {
    return undefined;
  }
  if (value.includes("\\")) {
    return "must not contain a backslash";
  }
  // What is left once the local references are gone can load something only through a url or a quoted string.
  return /url\s*\(|["']/i.test(value.replaceAll(localUrl, " ")) ? "may only use url(#…)" : undefined;
}

function localName(name: string): string {
  return name.slice(name.lastIndexOf(":") + 1);
}
