import type { JsonValue } from "@rad/core";
import type { Dice } from "./dice.ts";

export interface FuzzRequest {
  readonly method: string;
  /** As it stands in the request line. */
  readonly target: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
}

const versions: Readonly<Record<string, string>> = {
  "Radius.Fuzz": "2025-01-01",
  "Radius.Core": "2025-08-01-preview",
  "Applications.Core": "2023-10-01-preview",
  "Microsoft.Resources": "2020-10-01",
  "System.Resources": "2023-10-01-preview",
};

/** Requests over the whole grammar of the API: most are almost right, so that they get far. */
export function anyRequest(dice: Dice, token: string): FuzzRequest {
  return dice.chance(0.5) ? usualRequest(dice, token) : oddRequest(dice, token);
}

/** What clients send, with a little that they should not. */
function usualRequest(dice: Dice, token: string): FuzzRequest {
  const group = `/planes/radius/local/${dice.pick(["resourcegroups", "resourceGroups"])}/${dice.pick(["g1", "g2"])}`;
  const [type, properties] = dice.pick<readonly [string, () => JsonValue]>([
    ["Radius.Fuzz/things", () => ({ x: dice.json() })],
    ["Radius.Fuzz/things", () => ({ x: dice.json() })],
    ["Radius.Fuzz/secrets", () => ({ x: dice.text() })],
    ["Radius.Core/environments", () => ({ providers: {} })],
    ["Applications.Core/environments", () => ({ compute: { kind: "kubernetes", resourceId: "self", namespace: "n" } })],
    ["Applications.Core/applications", () => ({ environment: `${group}/providers/Applications.Core/environments/a` })],
    ["Radius.Fuzz/things", () => dice.json()],
  ]);
  const resource = `${group}/providers/${type}/${dice.pick(["a", "b", "c", "d"])}`;
  const version = `?api-version=${versions[type.split("/")[0] ?? ""] ?? ""}`;
  const method = dice.pick(["GET", "PUT", "PUT", "PUT", "DELETE", "LIST", "ACTION", "PATCH"]);
  const body =
    method === "PUT" || method === "PATCH"
      ? JSON.stringify({ location: "global", properties: properties() })
      : method === "ACTION"
        ? "{}"
        : "";
  const target =
    method === "LIST" ? `${group}/providers/${type}` : method === "ACTION" ? `${resource}/listSecrets` : resource;
  return {
    method: method === "LIST" ? "GET" : method === "ACTION" ? "POST" : method,
    target: `${target}${version}${method === "LIST" ? dice.pick(["", "&$top=1", "&$top=2"]) : ""}${method === "DELETE" ? dice.pick(["", "&force=true"]) : ""}`,
    headers: headers(dice, token, Buffer.from(body)),
    body: dice.chance(0.05) ? dice.damage(Buffer.from(body)) : Buffer.from(body),
  };
}

function oddRequest(dice: Dice, token: string): FuzzRequest {
  const namespace = dice.pick(Object.keys(versions));
  const body = dice.chance(0.7) ? requestBody(dice) : Buffer.alloc(0);
  const usual = ["GET", "PUT", "PUT", "DELETE", "POST", "PATCH"];
  return {
    method: dice.pick(dice.chance(0.95) ? usual : ["HEAD", "OPTIONS", "TRACE", "PROPFIND", "put"]),
    target: `${dice.pick(["", "", "/apis/api.ucp.dev/v1alpha3", "/APIS/api.ucp.dev/V1Alpha3"])}${anyPath(dice, namespace)}${query(dice, namespace)}`,
    headers: headers(dice, token, body),
    body: dice.chance(0.2) ? dice.damage(body) : body,
  };
}

function anyPath(dice: Dice, namespace: string): string {
  const plane = dice.pick([
    "/planes/radius/local",
    "/planes/radius/local",
    "/Planes/Radius/Local",
    "/planes/aws/aws",
    "/planes/azure/azurecloud",
    "/planes/none/x",
  ]);
  const group = `${plane}/${dice.pick(["resourcegroups", "resourceGroups", "RESOURCEGROUPS"])}/${name(dice)}`;
  const scope = dice.pick([plane, group, group, group]);
  const type = dice.pick([
    "things",
    "secrets",
    "environments",
    "applications",
    "containers",
    "recipePacks",
    "deployments",
    "nothing",
  ]);
  const resource = `${scope}/providers/${namespace}/${type}/${name(dice)}`;
  const provider = `${plane}/providers/System.Resources/resourceProviders/${dice.pick(["Radius.Fuzz", "Radius.Core", "Radius.New", name(dice)])}`;
  const kind = `${provider}/resourceTypes/${dice.pick(["things", "secrets", "new", name(dice)])}`;
  return dice.pick<() => string>([
    () => resource,
    () => resource,
    () => resource,
    () => `${scope}/providers/${namespace}/${type}`,
    () =>
      `${resource}/${dice.pick(["listSecrets", "validate", "whatIf", "cancel", "exportTemplate", "operations", "getGraph", name(dice)])}`,
    () => `${resource}/providers/${namespace}/${type}/${name(dice)}`,
    () => `${resource}/operations/${name(dice)}`,
    () => group,
    () => `${group}/resources`,
    () => plane,
    () => `${plane}/resourcegroups`,
    () => "/planes",
    () => `/planes/${dice.pick(["radius", "aws", "azure", "x"])}`,
    () => `${plane}/providers`,
    () => `${plane}/providers/${namespace}`,
    () => provider,
    () => `${provider}/locations/${dice.pick(["global", name(dice)])}`,
    () => kind,
    () => `${kind}/apiVersions/${dice.pick(["2025-01-01", "2023-10-01-preview", name(dice)])}`,
    () => `${kind}/icons/${name(dice)}`,
    () =>
      `${plane}/providers/${namespace}/locations/global/${dice.pick(["operationStatuses", "operationResults"])}/${dice.pick(["1d3a5b7c-0000-4000-8000-000000000000", name(dice)])}`,
    () =>
      dice.pick([
        "/",
        "",
        "//",
        "/healthz",
        "/readyz",
        "/version",
        "/openapi/v2",
        "/openapi/v3",
        "/audit",
        "/metrics",
        "/apis",
        "/abc",
      ]),
    () => `/${dice.times(8, () => dice.pick(["planes", "radius", name(dice), "providers", ""])).join("/")}`,
  ])();
}

function name(dice: Dice): string {
  return dice.chance(0.8)
    ? dice.pick(["g1", "g2", "a", "b", "c"])
    : dice.pick([
        "%20",
        "%00",
        "%2f",
        "%ff",
        "..",
        ".",
        "%2e%2e",
        "%E4%BD%A0",
        "x".repeat(dice.number(300)),
        "a;b",
        "A_",
        "-a",
        "'",
        "%22",
        "a%5Cb",
        "~",
        "$x",
        "*",
      ]);
}

function query(dice: Dice, namespace: string): string {
  const version = `api-version=${dice.chance(0.85) ? (versions[namespace] ?? "") : dice.pick(["", "1", "2099-01-01", "%00", "2023-10-01-preview", "x".repeat(100)])}`;
  const more = dice.times(1, () =>
    dice.pick([
      "$top=1",
      "$top=-1",
      "top=2",
      "skipToken=abc",
      "$skipToken=%7b%7d",
      "force=true",
      "force=maybe",
      "api-version=2",
      "=",
      "%",
      "a=b&a=c",
      "&&&",
      "$filter=x",
      "after=1",
      "limit=2",
    ]),
  );
  const all = dice.chance(0.95) ? [version, ...more] : more;
  return all.length === 0 ? "" : `?${all.join("&")}`;
}

function headers(dice: Dice, token: string, body: Buffer): readonly (readonly [string, string])[] {
  const found: [string, string][] = [
    ["host", "127.0.0.1"],
    ["connection", "close"],
  ];
  const maybe = (share: number, key: string, value: () => string): void => {
    if (dice.chance(share)) {
      found.push([key, value()]);
    }
  };
  maybe(0.95, "authorization", () =>
    dice.chance(0.95) ? `Bearer ${token}` : dice.pick(["Bearer", "Bearer x", "Basic YTpi", "bearer é"]),
  );
  if (body.length > 0) {
    maybe(0.97, "content-type", () =>
      dice.chance(0.95)
        ? "application/json"
        : dice.pick(["text/plain", "application/json; charset=utf-16", "application/merge-patch+json", "x"]),
    );
  }
  maybe(0.1, "if-match", () => dice.pick(["*", '"x"', "x", 'W/"y"', '"32-"', ""]));
  maybe(0.05, "if-none-match", () => dice.pick(["*", '"x"', ""]));
  maybe(0.05, "prefer", () => dice.pick(["wait=0", "wait=-1", "wait=x", "respond-async", "wait=0.1", ";;;"]));
  maybe(0.1, "referer", () =>
    dice.pick(["http://a/planes/radius/local", "x", "http://[", `http://h/${"a".repeat(500)}`]),
  );
  maybe(0.05, "x-ms-correlation-request-id", () => dice.text().replaceAll(/[^\u0020-\u007e]/g, ""));
  maybe(0.05, "traceparent", () => dice.pick(["00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "00", "x"]));
  maybe(0.05, "accept", () => dice.pick(["*/*", "text/html", "x;q=é"]).replaceAll(/[^\u0020-\u007e]/g, ""));
  maybe(0.03, "x-http-method-override", () => "DELETE");
  maybe(0.03, "expect", () => dice.pick(["100-continue", "200-ok"]));
  maybe(0.03, "x-arm-resource-system-data", () => dice.pick(["{}", "[", '{"createdBy":1}']));
  return found;
}

function requestBody(dice: Dice): Buffer {
  const any = (): string => JSON.stringify(dice.json());
  const resource = (): string => JSON.stringify({ location: "global", tags: { a: "b" }, properties: dice.object() });
  const type = (): string =>
    JSON.stringify({
      location: "global",
      properties: {
        capabilities: dice.pick([[], ["SupportsRecipes"], dice.json()]),
        schema: dice.object(),
        description: "x",
      },
    });
  const written = (): string =>
    dice.pick([
      '{"a":1,"a":2}',
      '{"properties":{"x":12345678901234567890}}',
      '{"__proto__":{}}',
      '"\\ud800"',
      "[".repeat(500),
      '{"a":1e999}',
      "",
      " ",
      "null",
      "\uFEFF{}",
      '{"properties":null}',
    ]);
  const environment = (): string =>
    JSON.stringify({
      location: "global",
      properties: { compute: { kind: "kubernetes", resourceId: "self", namespace: dice.text() }, ...dice.object() },
    });
  return Buffer.from(dice.pick([any, resource, resource, type, written, environment])());
}
