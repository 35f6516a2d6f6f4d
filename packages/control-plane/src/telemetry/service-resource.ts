import { type Resource, resourceFromAttributes } from "@opentelemetry/resources";
import { buildInfo } from "../build-info.ts";

/** What traces and metrics say about the program that sends them. */
export function serviceResource(name: string): Resource {
  return resourceFromAttributes({ "service.name": name, "service.version": buildInfo.version });
}
