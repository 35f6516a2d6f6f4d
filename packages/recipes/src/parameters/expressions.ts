import { isJsonObject, type JsonObject, jsonPointer, type JsonValue } from "@rad/core";
import { setupError } from "@rad/radius-types";

/** What `{{ … }}` may name besides members of `context.resource.properties` and `context.resource.connections`. */
const textPaths: ReadonlySet<string> = new Set([
  "context.resource.name",
  "context.resource.id",
  "context.resource.type",
  "context.application.name",
  "context.application.id",
  "context.environment.name",
  "context.environment.id",
  "context.runtime.kubernetes.namespace",
  "context.runtime.kubernetes.environmentNamespace",
  "context.azure.resourceGroup.name",
  "context.azure.resourceGroup.id",
  "context.azure.subscription.subscriptionId",
  "context.azure.subscription.id",
  "context.azure.resourceNameHash",
  "context.aws.region",
  "context.aws.account",
]);

export interface ResolvedParameters {
  readonly parameters: JsonObject;
  /** JSON pointers to texts and values in them that were made of secrets of the context. */
  readonly sensitive: readonly string[];
}

/**
 * Fills in `{{ context.… }}` in every text of the parameters, for modules that take no `context`. A text that is one
 * expression over a property takes the property's JSON type. What cannot be resolved stays as it is written.
 * @param sensitive JSON pointers to secrets, such as `/context/resource/properties/password`
 * @throws RecipeError when so many of them stand for so much that nothing could take it
 */
export function resolveExpressions(
  parameters: JsonObject,
  context: JsonObject,
  sensitive: readonly string[] = [],
): ResolvedParameters {
  const root = new ContextReader(context, sensitive);
  const found: string[] = [];
  const resolve = (value: JsonValue, pointer: string): JsonValue => {
    if (typeof value === "string") {
      const { value: resolved, isSecret } = root.during(() => resolveText(value, root));
      found.push(...(isSecret ? [pointer] : []));
      return resolved;
    }
    if (Array.isArray(value)) {
      return value.map((item, index) => resolve(item, `${pointer}/${index}`));
    }
    return isJsonObject(value) ? members(value, pointer) : value;
  };
  const members = (object: JsonObject, pointer: string): JsonObject =>
    Object.fromEntries(
      Object.entries(object).map(([name, member]) => [name, resolve(member, pointer + jsonPointer.of([name]))]),
    );
  return { parameters: members(parameters, ""), sensitive: found };
}

/** One `{{ … }}` in a text, from `from` up to `to`. */
interface Expression {
  readonly from: number;
  readonly to: number;
  /** Without the braces and the white space in them. */
  readonly source: string;
}

function resolveText(text: string, root: ContextReader): JsonValue {
  const pieces: string[] = [];
  let done = 0;
  for (const { from, to, source } of expressionsIn(text)) {
    const value = evaluate(source, root);
    if (from === 0 && to === text.length) {
      return value ?? text;
    }
    pieces.push(text.slice(done, from), value === undefined ? text.slice(from, to) : asText(value));
    done = to;
  }
  return done === 0 ? text : pieces.join("") + text.slice(done);
}

/** Looks at each character a few times at most: a pattern would try every division of a long text. */
function* expressionsIn(text: string): Iterable<Expression> {
  let close = -1;
  for (let from = text.indexOf("{{"); from >= 0;) {
    if (close < from + 2) {
      close = text.indexOf("}}", from + 2);
    }
    if (close < 0) {
      return;
    }
    const nested = text.indexOf("{{", from + 2);
    if (nested >= 0 && nested < close) {
      from = text.indexOf("{{", from + 1);
    } else {
      yield { from, to: close + 2, source: text.slice(from + 2, close).trim() };
      from = nested;
    }
  }
}

/** `path`, or `path == "v" ? "a" : rest` with rest a text or another ternary. */
function evaluate(source: string, root: ContextReader): JsonValue | undefined {
  const condition = /([^\s=?:"]+)\s*==\s*"([^"]*)"\s*\?\s*"([^"]*)"\s*:\s*/y;
  let at = 0;
  for (let found = condition.exec(source); found !== null; found = condition.exec(source)) {
    if (condition.lastIndex === source.length) {
      break; // nothing follows the colon
    }
    const [, path = "", expected, then = ""] = found;
    const value = root.valueAt(path);
    if (value === undefined) {
      return undefined;
    }
    if (asText(value) === expected) {
      return then;
    }
    at = condition.lastIndex;
  }
  const rest = source.slice(at);
  const literal = at === 0 ? null : /^"([^"]*)"$/.exec(rest);
  return literal === null ? root.take(rest) : literal[1];
}

/** Characters that expressions may put into the parameters of a run: one of 30 characters may stand for megabytes. */
const maxResolved = 4 << 20;

/** Reads values of the context, and knows how much they add up to and which of them are secrets. */
class ContextReader {
  readonly #root: JsonObject;
  readonly #sensitive: readonly string[];
  #isSecret = false;
  readonly #read = new Map<string, { readonly value: JsonValue | undefined; readonly size: number }>();
  #size = 0;

  constructor(context: JsonObject, sensitive: readonly string[]) {
    this.#root = { context };
    this.#sensitive = sensitive;
  }

  /** Tells of some work whether it has taken a secret. */
  during(work: () => JsonValue): { readonly value: JsonValue; readonly isSecret: boolean } {
    this.#isSecret = false;
    const value = work();
    return { value, isSecret: this.#isSecret };
  }

  /** The value becomes a part of the parameters. @throws RecipeError */
  take(path: string): JsonValue | undefined {
    const value = this.valueAt(path);
    const pointer = jsonPointer.of(path.split("."));
    this.#isSecret ||= value !== undefined && this.#sensitive.some((secret) => areRelated(secret, pointer));
    return value;
  }

  /** @throws RecipeError */
  valueAt(path: string): JsonValue | undefined {
    const read = this.#read.get(path) ?? this.#lookUp(path);
    this.#read.set(path, read);
    this.#size += read.size;
    if (this.#size > maxResolved) {
      throw setupError(
        "RecipeConfigurationFailure",
        `The expressions in the parameters of the recipe stand for more than ${maxResolved >> 20} MiB.`,
      );
    }
    return read.value;
  }

  #lookUp(path: string): { readonly value: JsonValue | undefined; readonly size: number } {
    let value: JsonValue | undefined = isKnown(path) ? this.#root : undefined;
    for (const part of path.split(".")) {
      value = isJsonObject(value) && Object.hasOwn(value, part) ? value[part] : undefined;
    }
    return { value: value ?? undefined, size: value === undefined ? 0 : asText(value).length };
  }
}

/** Whether one of them is the other, or within it. */
function areRelated(one: string, other: string): boolean {
  return `${one}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${one}/`);
}

/** Properties are one level deep, of the resource and of those that it connects to. */
function isKnown(path: string): boolean {
  return (
    textPaths.has(path) ||
    /^context\.resource\.properties\.[^.]+$/.test(path) ||
    /^context\.resource\.connections\.[^.]+\.(id|name|type|properties\.[^.]+)$/.test(path)
  );
}

function asText(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
