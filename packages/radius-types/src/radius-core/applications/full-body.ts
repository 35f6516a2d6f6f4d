import type { JsonObject } from "@rad/core";
import { inGroup } from "../../testing/ids.ts";

export const fullBodies: readonly JsonObject[] = [{ environment: inGroup("Radius.Core/environments/env") }];
