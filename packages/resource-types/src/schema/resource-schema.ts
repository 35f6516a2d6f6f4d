import { atOnce, type JsonObject, Pace, type Sliced } from "@rad/core";
import { buildSchema } from "./build-schema.ts";
import { checkValue } from "./check-value.ts";
import type { Problem } from "./check-value.ts";
import { withDefaults } from "./defaults.ts";
import { hasSensitive, marksOf } from "./marks.ts";
import { withoutReadOnly } from "./read-only.ts";
import { SchemaError } from "./schema-error.ts";
import { checkLimits } from "./schema-limits.ts";
import type { SchemaNode, Shape } from "./schema-node.ts";
import { splitSecrets } from "./secrets.ts";
import type { SplitSecrets } from "./secrets.ts";
import { withoutUnknown } from "./unknown-members.ts";
import type { KnownMembers } from "./unknown-members.ts";

/**
 * The schema of one resource type at one api-version, ready for use on the `properties` of its resources. A request
 * passes through `validate`, `stripReadOnly`, `dropUnknown`, `applyDefaults` and `splitSecrets`, in this order: `validate` also bounds
 * the depth of a body, which the others rely on. All of them leave their argument as it is, and return it where they have nothing to change.
 */
export interface ResourceSchema {
  /** Empty when the properties are fine; 50 problems at most. Does not look at what `stripReadOnly` drops. */
  validate(properties: JsonObject): Sliced<Problem[]>;
  /** Drops what only the server may set: read-only properties, `provisioningState` and `status`. */
  stripReadOnly(properties: JsonObject): Sliced<JsonObject>;
  /** Leaves out what the schema does not name, if its root says `x-radius-unknown: drop`; keeps it otherwise. */
  dropUnknown(properties: JsonObject): Sliced<KnownMembers>;
  /** @throws ApiError `RequestEntityTooLarge` when there would be too much of them. */
  applyDefaults(properties: JsonObject): Sliced<JsonObject>;
  /** Takes out what is marked `x-radius-sensitive`. */
  splitSecrets(properties: JsonObject): Sliced<SplitSecrets>;
}

/** All defaults of a schema together; a step is explained in `check-value.ts`. */
const maxStepsForDefaults = 50_000;

/**
 * Reads an OpenAPI 3.0 schema object; `{}` accepts everything. Takes whatever an API client sends: time and memory are
 * bounded for any JSON.
 *
 * @throws SchemaError (`InvalidSchema`) for a schema that is too large, too deep, or means nothing.
 */
export function compileSchema(schema: JsonObject): ResourceSchema {
  checkLimits(schema);
  const { root, defaults } = buildSchema(schema);
  if (root.sensitive) {
    throw new SchemaError(["x-radius-sensitive"], "The properties as a whole cannot be sensitive.");
  }
  const budget = { steps: maxStepsForDefaults };
  for (const { node, path } of defaults) {
    const [problem] =
      node.defaultValue === undefined ? [] : atOnce(checkValue(node, node.defaultValue, "default", budget));
    if (problem !== undefined) {
      throw new SchemaError(path, `is not a valid value: it ${problem.message}`);
    }
  }
  const shape = withServerProperties(root.shape);
  const sealed = withDeclaredStatus(shape, root.shape.properties.get("status"));
  const node: SchemaNode = { ...root, shape };
  const marks = marksOf(shape);
  const isSensitive = hasSensitive(sealed);
  return {
    validate: (properties) => checkValue(node, properties, "properties"),
    stripReadOnly: (properties) => withoutReadOnly(shape, properties, new Pace(), marks.hasNestedReadOnly),
    *dropUnknown(properties) {
      return marks.dropsUnknown ? yield* withoutUnknown(shape, properties, new Pace()) : { properties, dropped: [] };
    },
    *applyDefaults(properties) {
      return marks.hasDefaults ? yield* withDefaults(shape, properties, new Pace()) : properties;
    },
    *splitSecrets(properties) {
      return isSensitive ? yield* splitSecrets(sealed, properties, new Pace()) : { visible: properties, secrets: {} };
    },
  };
}

/**
 * Every resource may carry these three, declared or not: clients send back what a GET returned, and pick their recipe.
 * A schema that drops what it does not name says itself whether its type has recipes.
 */
function withServerProperties(shape: Shape): Shape {
  const { root: anything } = buildSchema({});
  const serverOwned: SchemaNode = { ...anything, readOnly: true };
  const properties = new Map(shape.properties).set("provisioningState", serverOwned).set("status", serverOwned);
  const recipe = shape.properties.get("recipe") ?? (shape.dropsUnknown ? undefined : anything);
  if (recipe !== undefined) {
    properties.set("recipe", recipe);
  }
  const required = new Set([...shape.required].filter((name) => properties.get(name)?.readOnly !== true));
  const variants = shape.variants && {
    ...shape.variants,
    byValue: new Map([...shape.variants.byValue].map(([value, variant]) => [value, withServerProperties(variant)])),
    undecided: withServerProperties(shape.variants.undecided),
  };
  return { ...shape, properties, required, variants };
}

/** What the server writes into the status is not held against the schema, but what the schema marks there is secret. */
function withDeclaredStatus(shape: Shape, status: SchemaNode | undefined): Shape {
  if (status === undefined) {
    return shape;
  }
  const withStatus = (part: Shape): Shape => ({ ...part, properties: new Map(part.properties).set("status", status) });
  const variants = shape.variants && {
    ...shape.variants,
    byValue: new Map([...shape.variants.byValue].map(([value, variant]) => [value, withStatus(variant)])),
    undecided: withStatus(shape.variants.undecided),
  };
  return { ...withStatus(shape), variants };
}
