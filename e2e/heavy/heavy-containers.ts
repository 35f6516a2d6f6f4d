import { type HeavyRequest, heavyGroup, repeat } from "./heavy-request.ts";

const version = "api-version=2023-10-01-preview";
const environment = `${heavyGroup}/providers/Applications.Core/environments/heavy`;
const application = `${heavyGroup}/providers/Applications.Core/applications/heavy`;

const scope: readonly HeavyRequest[] = [
  put(environment, () => '{"compute":{"kind":"kubernetes","namespace":"heavy"}}'),
  put(application, () => `{"environment":"${environment}"}`),
];

function put(id: string, properties: () => string): HeavyRequest {
  const body = (): string => `{"location":"global","properties":${properties()}}`;
  return { name: "", method: "PUT", path: `${id}?${version}`, body };
}

function of(type: string, name: string, members: () => string): HeavyRequest {
  const id = `${heavyGroup}/providers/Applications.Core/${type}/${name.replaceAll(/\W+/g, "-")}`;
  const request = put(id, () => `{"application":"${application}",${members()}}`);
  return { ...request, name, before: scope, untilEnded: true };
}

function container(name: string, members: () => string): HeavyRequest {
  return of("containers", name, () => `"container":{"image":"web:1"},${members()}`);
}

function base(name: string, text: () => string): HeavyRequest {
  return container(name, () => `"runtimes":{"kubernetes":{"base":${JSON.stringify(text())}}}`);
}

function pod(name: string, patch: () => string): HeavyRequest {
  return container(name, () => `"runtimes":{"kubernetes":{"pod":${patch()}}}`);
}

const configMap = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: many}\n";
const named = (times: number): string => `[${repeat(times, (index) => `{"name":"n${index}"}`)}]`;

/** Resources that become objects of Kubernetes. */
export const heavyContainers: readonly HeavyRequest[] = [
  base("base keys", () => `${configMap}data:\n${repeat(60_000, (index) => `  k${index}: x\n`, "")}`),
  base("base lists", () => `${configMap}data: [${"[],".repeat(300_000)}]`),
  base("base documents", () => repeat(10_000, (index) => configMap.replace("many", `m${index}`), "---\n")),
  base("base text", () => `${configMap}data:\n  text: |\n${"    a line of a long text\n".repeat(38_000)}`),
  base("base just readable", () => `${configMap}data:\n${repeat(3_700, (index) => `  k${index}: x\n`, "")}`),
  base("base aliases", () =>
    repeat(9, (index) => `a${index}: &a${index} [${`*a${index - 1},`.repeat(index === 0 ? 0 : 9)}]`, "\n"),
  ),
  pod("patch of a long list", () => `{"containers":${named(150_000)}}`),
  pod("patch in another order", () => {
    const list = named(100_000);
    return `{"volumes":${list},"$setElementOrder/volumes":${list}}`;
  }),
  pod("patch just taken", () => `{"volumes":${named(4_800)}}`),
  of("containers", "many ports", () => {
    const ports = repeat(65_000, (index) => `"p${index}":{"containerPort":${index + 1}}`);
    return `"container":{"image":"web:1","ports":{${ports}}}`;
  }),
  of("containers", "ports just taken", () => {
    const ports = repeat(3_200, (index) => `"p${index}":{"containerPort":${index + 1}}`);
    return `"container":{"image":"web:1","ports":{${ports}}}`;
  }),
  of("containers", "variables", () => {
    const env = repeat(90_000, (index) => `"V${index}":{"value":"x"}`);
    return `"container":{"image":"web:1","env":{${env}}}`;
  }),
  of("gateways", "routes", () => {
    const routes = repeat(80_000, (index) => `{"path":"/${index}","destination":"http://a:1"}`);
    return `"routes":[${routes}]`;
  }),
  of("secretStores", "secrets", () => {
    const data = repeat(90_000, (index) => `"k${index}":{"value":"value-${index}"}`);
    return `"type":"generic","data":{${data}}`;
  }),
];
