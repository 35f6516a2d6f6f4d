import { ApiError, isJsonObject } from "@rad/core";
import type { JsonObject } from "@rad/core";
import type { ApiClient } from "../api/api-client.ts";

export interface GoingObject {
  /** `/api/v1/namespaces/shop/configmaps` */
  readonly collection: string;
  readonly name: string;
  readonly uid: string;
  readonly subject: string;
}
