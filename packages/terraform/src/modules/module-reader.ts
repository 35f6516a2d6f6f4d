import { isJsonObject, mainThread, Pace } from "@rad/core";
import type { JsonObject, JsonValue, Sliced } from "@rad/core";
import { blockLines } from "./block-lines.ts";
import { labelledBlocks, resourceBlocks, unlabelledBlocks } from "./blocks.ts";
import { jsonLiterals, nativeLiterals } from "./literals.ts";
import type { Literals } from "./literals.ts";
import type {
  ModuleContents,
  ModuleDiagnostic,
  ModuleOutput,
  ModuleVariable,
  RequiredProvider,
} from "./module-contents.ts";
import { ModuleError } from "./module-error.ts";
import type { ModuleFile } from "./module-files.ts";

/** One file while it is read. */
interface Reading {
  readonly file: ModuleFile;
  readonly literals: Literals;
  /** Of variables. */
  readonly lines: ReadonlyMap<string, number>;
}

interface Provider {
  source?: string;
  readonly versions: string[];
  readonly configurationAliases: string[];
}

/** As HCL has them. */
const identifier = /^[\p{ID_Start}_][\p{ID_Continue}-]*$/u;

/** A file may have a thousand errors, and one is enough to look at it. */
const maxMessage = 2_000;

/** More than any module has; they are sorted, and told, in one go. */
const maxDeclarations = 50_000;
/** Reading a block takes some microseconds. */
const stepsPerBlock = 10;

/** The provider of `terraform_data`, which nobody configures. */
const builtIn = "terraform";

/** Collects what the files of a module declare. An override file changes what others declared, attribute by attribute. */
export class ModuleReader {
  readonly #variables = new Map<string, ModuleVariable>();
  readonly #outputs = new Map<string, ModuleOutput>();
  readonly #providers = new Map<string, Provider>();
  /** Providers of resources, which need no declaration. */
  readonly #implied = new Set<string>();
  readonly #diagnostics: ModuleDiagnostic[] = [];
  readonly #pace = new Pace();
  #declarations = 0;

  /** @throws ModuleError `ModuleTooLarge` */
  *read(file: ModuleFile, body: JsonValue): Sliced<void> {
    yield* this.#pause(0);
    const literals = file.isJson ? jsonLiterals : nativeLiterals;
    const reading = { file, literals, lines: blockLines(file, "variable") };
    yield* this.#pause(0);
    for (const { label, body: variable } of this.#named(file, labelledBlocks(body, "variable"))) {
      this.#readVariable(reading, label, variable);
      yield* this.#pause();
    }
    yield* this.#pause(0);
    for (const { label, body: output } of this.#named(file, labelledBlocks(body, "output"))) {
      this.#readOutput(reading, label, output);
      yield* this.#pause();
    }
    for (const { body: terraform } of unlabelledBlocks(body, "terraform")) {
      for (const { body: required } of unlabelledBlocks(terraform, "required_providers")) {
        this.#readRequirements(reading, required);
      }
    }
    yield* this.#pause(0);
    for (const { label, body: provider } of this.#named(file, labelledBlocks(body, "provider"))) {
      const version = literals.text(provider["version"]);
      this.#require(reading, label, { versions: version === undefined ? [] : [version], configurationAliases: [] });
      yield* this.#pause();
    }
    yield* this.#pause(0);
    for (const { label, body: resource } of [...resourceBlocks(body, "resource"), ...resourceBlocks(body, "data")]) {
      const provider = literals.expression(resource["provider"])?.split(".")[0] ?? label.split("_")[0] ?? "";
      if (isName(provider)) {
        this.#implied.add(provider);
      }
      yield* this.#pause();
    }
  }

  report(file: ModuleFile, message: string): void {
    this.#diagnostics.push({ file: file.name, message: message.slice(0, maxMessage) });
  }

  contents(): ModuleContents {
    for (const name of this.#implied) {
      if (!this.#providers.has(name) && name !== builtIn) {
        this.#providers.set(name, { versions: [], configurationAliases: [] });
      }
    }
    return {
      variables: byName(this.#variables),
      outputs: byName(this.#outputs),
      requiredProviders: Object.fromEntries(
        [...this.#providers].sort(([a], [b]) => compare(a, b)).map(([name, provider]) => [name, requirement(provider)]),
      ),
      diagnostics: this.#diagnostics,
    };
  }

  /** Names become parts of the configuration that calls the module, so none may be more than a name. */
  #named<Named extends { readonly label: string }>(file: ModuleFile, blocks: readonly Named[]): Named[] {
    this.#declarations += blocks.length;
    if (this.#declarations > maxDeclarations) {
      throw new ModuleError("ModuleTooLarge", `The module has more than ${maxDeclarations} declarations.`);
    }
    return blocks.filter(({ label }) => {
      const isValid = isName(label);
      if (!isValid) {
        this.report(file, `${JSON.stringify(label.slice(0, 100))} is not a name that Terraform accepts.`);
      }
      return isValid;
    });
  }

  /** @param steps 0 where what follows goes through a whole file in one go */
  *#pause(steps = stepsPerBlock): Sliced<void> {
    const pause = steps === 0 ? mainThread.giveWay() : this.#pace.spend(steps);
    if (pause !== undefined) {
      yield pause;
    }
  }

  #readVariable({ file, literals, lines }: Reading, name: string, body: JsonObject): void {
    const base = this.#baseOf(file, `variable "${name}"`, this.#variables.get(name));
    const type = literals.expression(body["type"]) ?? base?.type;
    const description = literals.text(body["description"]) ?? base?.description;
    const hasDefault = Object.hasOwn(body, "default");
    const value = hasDefault ? literals.value(body["default"]) : base?.default;
    this.#variables.set(name, {
      name,
      ...(type !== undefined && { type }),
      ...(description !== undefined && { description }),
      ...(value !== undefined && { default: value }),
      required: !hasDefault && (base?.required ?? true),
      sensitive: Object.hasOwn(body, "sensitive") ? literals.flag(body["sensitive"]) : (base?.sensitive ?? false),
      position: base?.position ?? { file: file.name, line: lines.get(name) ?? 1 },
    });
  }

  #readOutput({ file, literals }: Reading, name: string, body: JsonObject): void {
    const base = this.#baseOf(file, `output "${name}"`, this.#outputs.get(name));
    const sensitive = Object.hasOwn(body, "sensitive") ? literals.flag(body["sensitive"]) : (base?.sensitive ?? false);
    this.#outputs.set(name, { name, sensitive });
  }

  /** What an override file changes. Terraform refuses a second declaration elsewhere; the last one is taken. */
  #baseOf<Declared>(file: ModuleFile, what: string, known: Declared | undefined): Declared | undefined {
    if (file.isOverride !== (known !== undefined)) {
      this.report(file, file.isOverride ? `There is no ${what} to override.` : `The ${what} is declared twice.`);
    }
    return file.isOverride ? known : undefined;
  }

  #readRequirements(reading: Reading, body: JsonObject): void {
    const { file, literals } = reading;
    const entries = Object.entries(body).filter(([key]) => key !== "//");
    for (const { label: name, value } of this.#named(
      file,
      entries.map(([label, value]) => ({ label, value })),
    )) {
      const provider = isJsonObject(value) ? declared(value, literals) : versionOnly(literals.text(value));
      if (provider === undefined) {
        this.report(file, `The requirement of the provider '${name}' is neither a version nor an object.`);
      } else if (file.isOverride) {
        this.#providers.set(name, provider);
      } else {
        this.#require(reading, name, provider);
      }
    }
  }

  #require({ file }: Reading, name: string, provider: Provider): void {
    const known = this.#providers.get(name);
    if (known?.source !== undefined && provider.source !== undefined && known.source !== provider.source) {
      this.report(file, `The provider '${name}' has two sources, '${known.source}' and '${provider.source}'.`);
    }
    if (known === undefined) {
      this.#providers.set(name, provider);
      return;
    }
    known.versions.push(...provider.versions);
    for (const alias of provider.configurationAliases) {
      known.configurationAliases.push(alias);
    }
    if (provider.source !== undefined) {
      known.source ??= provider.source;
    }
  }
}

function declared(body: JsonObject, literals: Literals): Provider {
  const [source, version, aliases] = [
    literals.text(body["source"]),
    literals.text(body["version"]),
    body["configuration_aliases"],
  ];
  return {
    ...(source !== undefined && { source }),
    versions: version === undefined ? [] : [version],
    configurationAliases: Array.isArray(aliases)
      ? aliases.map((alias) => literals.expression(alias) ?? "").filter((alias) => alias.split(".").every(isName))
      : [],
  };
}

function versionOnly(version: string | undefined): Provider | undefined {
  return version === undefined ? undefined : { versions: [version], configurationAliases: [] };
}

function requirement({ source, versions, configurationAliases }: Provider): RequiredProvider {
  return {
    ...(source !== undefined && { source }),
    ...(versions.length > 0 && { version: versions.join(",") }),
    configurationAliases,
  };
}

function byName<Declared extends { readonly name: string }>(declarations: ReadonlyMap<string, Declared>): Declared[] {
  return [...declarations.values()].sort((a, b) => compare(a.name, b.name));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function isName(text: string): boolean {
  return identifier.test(text);
}
