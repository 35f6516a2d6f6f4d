import { parseIpAddress } from "@rad/core";

/** A `format` keyword that is checked; formats not in the table are notes to the reader, as OpenAPI has it. */
export interface Format {
  readonly name: string;
  readonly applies: "string" | "number";
  test(value: string | number): boolean;
}

const int32 = 2 ** 31;
const int64 = 2 ** 63;

const formats: readonly Format[] = [
  text("date-time", isDateTime),
  text("date", isDate),
  text("uuid", (value) => /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i.test(value)),
  text("email", isEmail),
  text("hostname", isHostname),
  text("ipv4", (value) => parseIpAddress(value)?.bits === 32 && !/(?:^|\.)0\d/.test(value)),
  text("ipv6", (value) => parseIpAddress(value)?.bits === 128),
  text("uri", (value) => /^[a-z][a-z\d+.-]*:\S+$/i.test(value) && URL.canParse(value)),
  text("byte", (value) => value.length % 4 === 0 && /^[A-Za-z\d+/]*={0,2}$/.test(value)),
  number("int32", (value) => Number.isInteger(value) && value >= -int32 && value < int32),
  number("int64", (value) => Number.isInteger(value) && value >= -int64 && value <= int64),
];

const formatByName = new Map(formats.map((format) => [format.name, format]));

export function findFormat(name: string): Format | undefined {
  return formatByName.get(name);
}

function text(name: string, test: (value: string) => boolean): Format {
  return { name, applies: "string", test: (value) => typeof value === "string" && test(value) };
}

function number(name: string, test: (value: number) => boolean): Format {
  return { name, applies: "number", test: (value) => typeof value === "number" && test(value) };
}

function isDateTime(value: string): boolean {
  const [, date = "", hour, minute, second, zoneHour = "0", zoneMinute = "0"] =
    /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(?:[Zz]|[+-](\d{2}):(\d{2}))$/.exec(value) ?? [];
  // 60 is a leap second.
  return (
    isDate(date) &&
    Number(hour) < 24 &&
    Number(minute) < 60 &&
    Number(second) <= 60 &&
    Number(zoneHour) < 24 &&
    Number(zoneMinute) < 60
  );
}

function isDate(value: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value)) {
    return false;
  }
  const date = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value);
}

function isEmail(value: string): boolean {
  const at = value.lastIndexOf("@");
  return at > 0 && at <= 64 && /^[^\s@]+$/.test(value.slice(0, at)) && isHostname(value.slice(at + 1));
}

function isHostname(value: string): boolean {
  const label = /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/i;
  return (
    value.length <= 253 &&
    value
      .replace(/\.$/, "")
      .split(".")
      .every((part) => label.test(part))
  );
}
