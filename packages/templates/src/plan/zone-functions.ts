import type { JsonObject } from "@rad/core";
import { define, type FunctionCall, type FunctionDefinition } from "../functions/function-call.ts";
import { fromJson } from "../values/json-conversion.ts";
import { getMember } from "../values/members.ts";
import { isArray, isObject, type ObjectValue, type Value } from "../values/value.ts";
import { PlanProblem } from "./plan-problem.ts";

/** Availability zones, which only the host can know: `Namespace/type` → location → zones, and the names of zones. */
export function zoneFunctions(zones: JsonObject | undefined, mappings: JsonObject | undefined): FunctionDefinition[] {
  const byType = zones === undefined ? undefined : fromJson(zones);
  const byLocation = mappings === undefined ? undefined : fromJson(mappings);
  return [
    define("pickZones", [3, 5], (call) => pickZones(call, known(call, byType))),
    define("toLogicalZone", 3, (call) => toLogical(zonesOf(call, byLocation), call.string(2))),
    define("toLogicalZones", 3, (call) =>
      call.array(2).map((zone) => toLogical(zonesOf(call, byLocation), zoneName(call, zone))),
    ),
    define("toPhysicalZone", 3, (call) => toPhysical(zonesOf(call, byLocation), call.string(2))),
    define("toPhysicalZones", 3, (call) =>
      call.array(2).map((zone) => toPhysical(zonesOf(call, byLocation), zoneName(call, zone))),
    ),
  ];
}

function pickZones(call: FunctionCall, zones: ObjectValue): Value {
  const wanted = call.count > 3 ? call.smallInt(3) : 1;
  const offset = call.count > 4 ? call.smallInt(4) : 0;
  if (wanted < 0 || offset < 0) {
    throw call.invalid("the number of zones and the offset cannot be negative");
  }
  const locations = getMember(zones, `${call.string(0)}/${call.string(1)}`);
  const available = locations !== undefined && isObject(locations) ? member(locations, call.string(2)) : undefined;
  return available !== undefined && isArray(available) ? available.slice(offset, offset + wanted) : [];
}

function known(call: FunctionCall, value: Value | undefined): ObjectValue {
  if (value === undefined || !isObject(value)) {
    throw new PlanProblem("Unsupported", `${call.name}: the zones of a location are not known here.`);
  }
  return value;
}

function zonesOf(call: FunctionCall, byLocation: Value | undefined): ObjectValue {
  const zones = member(known(call, byLocation), call.string(1));
  return zones !== undefined && isObject(zones) ? zones : new Map<string, Value>();
}

/** A location by its name or by its display name: "West US 2" is `westus2`. */
function member(locations: ObjectValue, location: string): Value | undefined {
  return getMember(locations, location.replaceAll(" ", ""));
}

function toLogical(zones: ObjectValue, physical: string): string {
  for (const [logical, name] of zones) {
    if (typeof name === "string" && name.toLowerCase() === physical.toLowerCase()) {
      return logical;
    }
  }
  return "";
}

function toPhysical(zones: ObjectValue, logical: string): Value {
  return getMember(zones, logical) ?? "";
}

function zoneName(call: FunctionCall, zone: Value): string {
  if (typeof zone !== "string") {
    throw call.wrongKind(2, "an array of strings", zone);
  }
  return zone;
}
