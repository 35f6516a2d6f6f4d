import type { Budget } from "../budget.ts";
import type { EvaluationScope } from "../expressions/evaluate.ts";
import type { FunctionLookup } from "../functions/pure-functions.ts";
import type { Pausing } from "../pausing.ts";
import { fromJson } from "../values/json-conversion.ts";
import { isOpaque, opaque } from "../values/opaque-value.ts";
import type { Value } from "../values/value.ts";
import type { Compiled } from "./compiled.ts";
import { defineMember } from "./define-member.ts";
import { evaluateCompiled, type CompiledEnvironment } from "./evaluate-compiled.ts";
import { ExtensionValues } from "./extension-values.ts";
import type { LoopStack } from "./loop-stack.ts";
import type { ParameterValues } from "./parameter-values.ts";
import type { PlanInput, PlanLimits, PlannedParameter } from "./plan.ts";
import { Pending, ProblemLog } from "./plan-problem.ts";
import type { Program } from "./program.ts";
import { replaceAtPointers, secretPointers, textsAt } from "./secret-pointers.ts";
import { SecretReach } from "./secret-reach.ts";
import { concealSecureParts } from "./secure-parts.ts";
import type { TypeDefinitions } from "./type-node.ts";
import { VariableValues } from "./variable-values.ts";

export interface TaintDeps {
  readonly program: Program;
  readonly input: PlanInput;
  readonly definitions: TypeDefinitions;
  readonly limits: PlanLimits;
  readonly budget: Budget;
  readonly loops: LoopStack;
  /** All of them resolved. */
  readonly parameters: ParameterValues;
  /** Functions that look beyond their arguments, for a scope of their own. */
  readonly functions: (
    scope: () => EvaluationScope,
    environment: () => CompiledEnvironment,
    extensions: ExtensionValues,
  ) => FunctionLookup;
}

/**
 * Finds which parts of a value rest on a secret: by a second evaluation, in which every secret is opaque. A part that
 * looks at one is opaque in turn, so what comes out with a value there has that value whatever the secrets are. Only
 * what can reach a secret at all is evaluated twice.
 */
export class Taint {
  readonly #deps: TaintDeps;
  readonly #reach: SecretReach;
  readonly #parameters = new Map<string, Value>();
  readonly #secretParameters = new Map<string, boolean>();
  #blind: { readonly scope: EvaluationScope; readonly extensions: ExtensionValues } | undefined;

  constructor(deps: TaintDeps) {
    this.#deps = deps;
    const { program, input } = deps;
    const isSecretParameter = (key: string): boolean => this.#isSecretParameter(key);
    const hasSecretExtensions = (input.extensionSecrets ?? []).length > 0 || hasSecureConfig(program);
    this.#reach = new SecretReach({ program, isSecretParameter, hasSecretExtensions });
  }

  /** For a second evaluation; made when the first one is asked for. */
  get scope(): EvaluationScope {
    return this.#withoutAnySecret.scope;
  }

  /** For one evaluation without secrets. Whatever fails in it rests on one. */
  environment(scope: EvaluationScope = this.scope, isPreview = false): CompiledEnvironment {
    const { limits, loops, budget } = this.#deps;
    return {
      scope,
      budget: budget.share(),
      loops,
      maxCopies: limits.copies,
      recover: (error, { text }) => (isPreview && error instanceof Pending ? text : opaque()),
    };
  }

  /** Whether any secret can get into it. */
  reaches(compiled: Compiled): boolean {
    return this.#reach.reaches(compiled);
  }

  /** Whether a value that has no parts rests on a secret. */
  isSecret(compiled: Compiled): boolean {
    return this.reaches(compiled) && isOpaque(evaluateCompiled(compiled, this.environment()));
  }

  /** Of the parts of a parameter that are secret, or rest on another parameter that is. */
  parameterPointers(name: string): readonly string[] {
    const key = name.toLowerCase();
    const known = this.#deps.parameters.known(key);
    const blind = known !== undefined && this.#isSecretParameter(key) ? this.#parameter(key) : undefined;
    return known === undefined || blind === undefined ? [] : secretPointers(known.value, blind, this.#deps.budget);
  }

  /** Of the parts of a variable that rest on a secret. */
  variablePointers(name: string, value: Value): readonly string[] {
    const variable = this.#deps.program.variables.get(name.toLowerCase());
    const parts = variable === undefined ? [] : [variable.value, variable.count];
    return parts.some((part) => part !== undefined && this.reaches(part))
      ? secretPointers(value, this.scope.variable?.(name) ?? null, this.#deps.budget)
      : [];
  }

  /** Parameters that rest on a secret count as secure, whatever their type says; their texts are added to `secrets`. */
  *markParameters(
    planned: Readonly<Record<string, PlannedParameter>>,
    secrets: string[],
  ): Pausing<Readonly<Record<string, PlannedParameter>>> {
    const { budget, parameters } = this.#deps;
    const marked: Record<string, PlannedParameter> = {};
    for (const [name, parameter] of Object.entries(planned)) {
      if (budget.isDue) {
        yield budget;
      }
      const pointers = parameter.secure ? [] : this.parameterPointers(name);
      for (const text of textsAt(parameters.known(name.toLowerCase())?.value ?? null, pointers)) {
        secrets.push(text);
      }
      defineMember(marked, name, pointers.length === 0 ? parameter : { ...parameter, secure: true });
    }
    return marked;
  }

  /** Texts in the configurations of extensions that are secret, or rest on a secret. */
  extensionSecrets(extensions: ExtensionValues): string[] {
    return extensions.secretTexts(() => this.#withoutAnySecret.extensions, this.#deps.budget);
  }

  get #withoutAnySecret(): { readonly scope: EvaluationScope; readonly extensions: ExtensionValues } {
    return (this.#blind ??= this.#makeBlind());
  }

  #makeBlind(): { readonly scope: EvaluationScope; readonly extensions: ExtensionValues } {
    const { program, input, limits, functions } = this.#deps;
    const environment = (): CompiledEnvironment => this.environment();
    const variables = new VariableValues({ program, environment });
    const given = replaceAtPointers(
      fromJson(input.extensionConfigs ?? {}, this.#deps.budget),
      input.extensionSecrets ?? [],
      opaque,
    );
    const log = new ProblemLog(); // whatever is wrong is known by now
    const extensions = new ExtensionValues({ program, log, limits, given, isOpaque: true, environment });
    const scope: EvaluationScope = {
      parameter: (name) => this.#parameter(name.toLowerCase()),
      variable: (name) => variables.get(name),
      functions: functions(() => this.scope, environment, extensions),
      conceal: opaque,
    };
    return { scope, extensions };
  }

  #isSecretParameter(key: string): boolean {
    const seen = this.#secretParameters.get(key);
    if (seen !== undefined) {
      return seen;
    }
    const { program, parameters, definitions } = this.#deps;
    const declaration = program.source.parameters.get(key);
    const known = parameters.known(key);
    const byDefault = known?.byDefault === true ? program.defaults.get(key) : undefined;
    const found =
      declaration !== undefined &&
      (known === undefined
        ? definitions.isSecure(declaration.node)
        : known.secure ||
          parameters.givenSecrets(key).length > 0 ||
          (byDefault !== undefined && this.#reach.reaches(byDefault)));
    this.#secretParameters.set(key, found);
    return found;
  }

  #parameter(key: string): Value | undefined {
    const seen = this.#parameters.get(key);
    if (seen !== undefined) {
      return seen;
    }
    const declaration = this.#deps.program.source.parameters.get(key);
    if (declaration === undefined) {
      return undefined;
    }
    const value = this.#withoutSecrets(key, declaration.node);
    this.#parameters.set(key, value);
    return value;
  }

  #withoutSecrets(key: string, node: Parameters<typeof concealSecureParts>[1]): Value {
    const { parameters, program, definitions } = this.#deps;
    const known = parameters.known(key);
    const isSecret = this.#isSecretParameter(key);
    if (known === undefined) {
      if (!isSecret) {
        throw new Pending();
      }
      return opaque();
    }
    if (!isSecret) {
      return known.value;
    }
    const byDefault = known.byDefault ? program.defaults.get(key) : undefined;
    const value =
      byDefault === undefined
        ? replaceAtPointers(known.value, parameters.givenSecrets(key), opaque)
        : this.#deps.loops.outside(() => evaluateCompiled(byDefault, this.environment()));
    return concealSecureParts(value, node, definitions);
  }
}

function hasSecureConfig({ extensions }: Program): boolean {
  return [...extensions.values()].some(({ secureConfig }) => secureConfig.size > 0);
}
