import type { ResourceRequest } from "@rad/resources";
import type { Answer } from "./answer.ts";

/**
 * A URL of its own, outside the id grammar, such as the audit export. It passes the same identity check, limits and
 * audit of refusals as everything else. Callers are let in before the body is read.
 */
export type Route = JsonRoute | BytesRoute;

interface RoutePlace {
  /**
   * Any method that Node's parser knows, such as `GET` or `LOCK`. HEAD calls the handler of GET where it has none of
   * its own, and nothing of the answer's body is read.
   */
  readonly method: string | readonly string[];
  /**
   * The path below the base path, lower case. With `/*` at its end it stands for everything below it too, and the
   * handler finds the rest in `request.rest`. An exact path comes before a prefix, the longest prefix before others.
   */
  readonly path: string;
  /**
   * What the caller needs: a permission at `/`, or what the function says about this call. `undefined` opens the route
   * to anybody who can connect.
   */
  readonly permission: string | undefined | ((request: RouteRequest) => Promise<NeededPermission> | NeededPermission);
}

export interface JsonRoute extends RoutePlace {
  /** Absent: the body is not read. */
  readonly body?: "json";
  handle(request: RouteRequest): Promise<Answer> | Answer;
}

export interface BytesRoute extends RoutePlace {
  readonly body: "bytes";
  /** Larger bodies are refused with 413. */
  readonly maxBytes: number;
  handle(request: BytesRequest): Promise<Answer> | Answer;
}

export interface NeededPermission {
  /** `<type>/read`, `<type>/write` or `<type>/<action>/action` */
  readonly permission: string;
  /** An id; roles that are assigned there or above count. */
  readonly scope: string;
}

/** A call of a route. */
export interface RouteRequest extends Omit<ResourceRequest, "id"> {
  readonly method: string;
  /** Below the base path, decoded. */
  readonly path: string;
  /**
   * The segments below the prefix, decoded, in the spelling of the caller. None is empty, `.` or `..`, or contains a
   * slash, a backslash or a control character: such requests are refused with 400. A final slash is not told.
   */
  readonly rest: readonly string[];
  /** As it came, without the question mark. */
  readonly query: string;
  /** A parameter of the query; the first when it is there more than once. */
  parameter(name: string): string | undefined;
  /** By lower-case name: what may be passed on. Without credentials, and without headers about the connection. */
  readonly headers: Readonly<Record<string, string>>;
  /** The header of that name, for a route that is open to anybody and checks its callers itself. */
  readonly authorization: string | undefined;
  /** Scheme, host and base path that the caller used: what absolute links start with. */
  readonly linkBase: string;
}

/** A call whose body is bytes. */
export interface BytesRequest extends RouteRequest {
  readonly bytes: RequestBytes;
}

/**
 * The body as it arrives, no faster than it is read. It can be read once. Reading fails with an `ApiError` when there is
 * too much of it, when the caller disconnects, or when nothing arrives for as long as a request may take.
 */
export interface RequestBytes extends AsyncIterable<Uint8Array> {
  /** All of it in one piece. */
  whole(): Promise<Uint8Array>;
}
