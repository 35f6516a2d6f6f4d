import type { JsonObject } from "@rad/core";
import { jsonPointer } from "@rad/core";
import type { Product } from "../product.ts";
import type { Backend } from "./backend.ts";
import type { ModuleInterface, RequiredProviders } from "./module-interface.ts";
import { checkParameters } from "./check-parameters.ts";
import { writeArgument } from "./module-arguments.ts";
import type { ProviderSettings } from "./provider-blocks.ts";
import { providerBlocks } from "./provider-blocks.ts";
import type { SecretLookup } from "./secret-lookup.ts";
import { SecretVariables, textsIn } from "./secret-variables.ts";
import { staticValue } from "./template-text.ts";

/** The module that a recipe is. */
export interface RecipeModule {
  /** The name of its block, from `moduleKeyOf`. */
  readonly key: string;
  readonly source: string;
  readonly version?: string | undefined;
}

export interface MainConfigurationOptions {
  /** Which program reads the file: they differ in what they evaluate. */
  readonly product: Product;
  readonly module: RecipeModule;
  /** What inspecting the module told. */
  readonly contents: ModuleInterface;
  /** By name; `{ secretId, key }` at any depth is a reference. */
  readonly parameters: JsonObject;
  /** The same before expressions in them were resolved, if there were any: only what is a reference there is one. */
  readonly written?: JsonObject;
  /** For a module that declares the variable `context`. */
  readonly context: JsonObject;
  /** JSON pointers to secrets in parameters and context, such as `/context/resource/properties/password`. */
  readonly sensitive?: readonly string[];
  /** A text that stands in parameters and context for what is not known yet; it makes the value unknown to a plan. */
  readonly unknownMark?: string | undefined;
  readonly secrets: SecretLookup;
  readonly providers: ProviderSettings;
  readonly backend: Backend;
  /** The outputs to keep; by default `result`, and every output of a module without one. */
  readonly outputs?: readonly { readonly name: string; readonly sensitive: boolean }[];
}

export interface MainConfiguration {
  /** The content of `main.tf.json`. No secret is in it. */
  readonly file: JsonObject;
  /** What providers read, and the values of the variables in the file. */
  readonly env: Readonly<Record<string, string>>;
  /** Texts in the environment that no log may show. */
  readonly secretValues: readonly string[];
}

/** Enough to download the module, which has to be inspected before the rest can be written. */
export function moduleConfiguration(module: RecipeModule, product: Product): JsonObject {
  return { module: { [module.key]: moduleSource(module, product) } };
}

/** What `init` needs besides. */
export function backendConfiguration(backend: Backend, product: Product): JsonObject {
  return { terraform: { backend: { [backend.type]: staticValue(backend.config, product) } } };
}

/**
 * The root module of a run: it calls the module of the recipe, and has the backend, the providers and the outputs.
 *
 * @throws ConfigurationError
 */
export function mainConfiguration(options: MainConfigurationOptions): MainConfiguration {
  const { product, module, contents, parameters, context, secrets, backend, unknownMark } = options;
  checkParameters(parameters, contents);
  const variables = new SecretVariables();
  const providers = providerBlocks(contents.requiredProviders, options.providers, secrets, variables);
  const pointers = options.sensitive ?? [];
  const sensitive = new Set(pointers);
  // A parameter may have been made of a secret of the context, for a module that takes no context.
  const secretTexts = pointers.flatMap((pointer) =>
    textsIn(jsonPointer.get({ ...parameters, context }, pointer) ?? null),
  );
  const takesContext = contents.variables.some(({ name }) => name === "context");
  // A null argument would replace the default of the variable.
  const given = Object.entries(parameters).filter(([name, value]) => value !== null && name !== "context");
  const call = {
    ...moduleSource(module, product),
    ...(Object.keys(providers.passed).length > 0 && { providers: { ...providers.passed } }),
    ...Object.fromEntries(
      given.map(([name, value]) => [
        name,
        writeArgument(value, jsonPointer.of([name]), {
          variables,
          secrets,
          written: options.written ?? parameters,
          sensitive,
          secretTexts,
          unknownMark,
        }),
      ]),
    ),
    ...(takesContext && {
      context: writeArgument(context, "/context", { variables, sensitive, secretTexts: [], unknownMark }),
    }),
  };
  const file = {
    terraform: {
      backend: { [backend.type]: staticValue(backend.config, product) },
      ...required(contents.requiredProviders),
    },
    ...section("provider", providers.blocks),
    ...section("variable", variables.declarations),
    module: { [module.key]: call },
    ...section("output", outputsOf(options)),
  };
  return { file, env: { ...providers.env, ...variables.env }, secretValues: variables.texts };
}

function moduleSource({ source, version }: RecipeModule, product: Product): JsonObject {
  const isVersioned = version !== undefined && version !== "";
  return {
    source: staticValue(source, product),
    ...(isVersioned && { version: staticValue(version, product) }),
  };
}

function required(providers: RequiredProviders): JsonObject {
  const entries = Object.entries(providers).map(([name, { source, version }]) => [
    name,
    { ...(source !== undefined && { source }), ...(version !== undefined && { version }) },
  ]);
  return section("required_providers", Object.fromEntries(entries));
}

/** The outputs of the root module. `result` mixes values and secrets, so all of it is sensitive. */
function outputsOf({ module, contents, outputs }: MainConfigurationOptions): JsonObject {
  const declared = contents.outputs;
  const result = declared.filter(({ name }) => name === "result").map(({ name }) => ({ name, sensitive: true }));
  const kept = outputs ?? (result.length > 0 ? result : declared);
  const entries = kept.map(({ name, sensitive }) => {
    const isSensitive = sensitive || declared.some((output) => output.name === name && output.sensitive);
    return [name, { value: `\${module.${module.key}.${name}}`, ...(isSensitive && { sensitive: true }) }];
  });
  return Object.fromEntries(entries);
}

/** A block by its name; nothing where it would be empty. */
function section(name: string, content: Readonly<Record<string, JsonObject | JsonObject[]>> | JsonObject): JsonObject {
  return Object.keys(content).length === 0 ? {} : { [name]: { ...content } };
}
