import { isJsonObject } from "@rad/core";
import type { JsonObject, JsonValue } from "@rad/core";
import type { KubernetesObject } from "@rad/kubernetes";

/** What a member has to be: an object with these members, a list of such objects, texts by name, or a text. */
type Shape = { readonly object: Shapes } | { readonly list: Shapes } | "texts" | "text";
type Shapes = Readonly<Record<string, Shape>>;

const metadata: Shape = { object: { labels: "texts", annotations: "texts" } };
const container: Shape = {
  list: { name: "text", env: { list: { name: "text" } }, ports: { list: {} }, volumeMounts: { list: {} } },
};
const podSpec: Shape = { object: { containers: container, volumes: { list: { name: "text" } } } };
const template: Shape = { object: { metadata, spec: podSpec } };

/** The members that rendering adds to. Everything else is for the API server to judge. */
const shapes: Readonly<Record<string, Shapes>> = {
  Deployment: { metadata, spec: { object: { selector: { object: { matchLabels: "texts" } }, template } } },
  Service: { metadata, spec: { object: { ports: { list: {} } } } },
  ServiceAccount: { metadata },
  ConfigMap: { metadata },
  Secret: { metadata, data: "texts", stringData: "texts" },
};

/** What keeps an object from being added to. */
export function shapeProblems(object: KubernetesObject): string[] {
  return [...memberProblems(object, shapes[object.kind] ?? {}, "")].map((problem) => `${object.kind} ${problem}`);
}

function* memberProblems(value: JsonObject, members: Shapes, path: string): Generator<string> {
  for (const [name, shape] of Object.entries(members)) {
    const member = value[name];
    if (member !== undefined) {
      yield* valueProblems(member, shape, `${path}${name}`);
    }
  }
}

function* valueProblems(value: JsonValue, shape: Shape, path: string): Generator<string> {
  if (shape === "text") {
    yield* typeof value === "string" ? [] : [`${path} has to be text.`];
  } else if (shape === "texts") {
    const isMap = isJsonObject(value) && Object.values(value).every((member) => typeof member === "string");
    yield* isMap ? [] : [`${path} has to have members whose values are text; put them in quotes.`];
  } else if ("object" in shape) {
    yield* isJsonObject(value) ? memberProblems(value, shape.object, `${path}.`) : [`${path} has to be an object.`];
  } else if (!Array.isArray(value) || !value.every(isJsonObject)) {
    yield `${path} has to be a list of objects.`;
  } else {
    for (const [index, item] of value.entries()) {
      yield* memberProblems(item, shape.list, `${path}[${index}].`);
    }
  }
}
