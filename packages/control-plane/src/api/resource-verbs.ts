import type { Answer } from "@rad/modules";
import type { ApiRequest } from "./api-request.ts";

/** What can be asked of resources. Whoever asks may do so already. @throws ApiError from every method. */
export interface ResourceVerbs {
  get(request: ApiRequest): Promise<Answer>;
  /** @param readable filters what the caller may see when the list is wider than the caller's permissions. */
  list(request: ApiRequest, readable: (id: string) => boolean): Promise<Answer>;
  put(request: ApiRequest): Promise<Answer>;
  patch(request: ApiRequest): Promise<Answer>;
  delete(request: ApiRequest): Promise<Answer>;
  /** `POST {resource}/{action}` */
  action(request: ApiRequest): Promise<Answer>;
}
