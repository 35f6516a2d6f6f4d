import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { it } from "node:test";
import { type JsonObject, ResourceId } from "@rad/core";
import type { RecipeDefinition, RecipeError, RecipeOutput } from "@rad/radius-types";
import type { EnvironmentConfiguration } from "../configuration/environment-configuration.ts";
import type { RecipeDriver, RecipeRun, RecordChange } from "../driver.ts";
import type { RecipeRecord } from "../records/recipe-record.ts";
import { ids, type RecipeWorld } from "./recipe-world.ts";

/** A driver with recipes of its kind. */
export interface DriverRig extends AsyncDisposable {
  readonly driver: RecipeDriver;
  readonly world: RecipeWorld;
  readonly configuration: EnvironmentConfiguration;
  /** Creates one thing; takes `size`, by default `S`; gives the value `size` and the secret `password`. */
  readonly working: RecipeDefinition;
  /** Creates one thing, then fails. */
  readonly failing: RecipeDefinition;
  /** There is no such template. */
  readonly missing: RecipeDefinition;
  /** How many things exist now. */
  things(): Promise<number>;
}

/** What every recipe driver promises. */
export function describeRecipeDriver(name: string, open: () => Promise<DriverRig>): void {
  it(`${name}: a recipe runs, changes nothing the second time, follows its parameters, and is destroyed`, async () => {
    await using rig = await open();
    const resource = new RecipeResource(rig);

    const first = await resource.execute(rig.working, { size: "M" });
    assert.deepEqual(resource.thingsAtRecord, [0]);
    assert.deepEqual(outputsOf(first), { values: { size: "M" }, secrets: { password: "p-M" } });
    assert.equal(await rig.things(), 1);
    await resource.execute(rig.working, { size: "M" });
    assert.equal(await rig.things(), 1);
    assert.deepEqual(outputsOf(await resource.execute(rig.working, { size: "L" })).values, { size: "L" });

    await resource.delete(rig.working);

    assert.equal(await rig.things(), 0);
    await resource.delete(rig.working);
  });

  it(`${name}: a run that fails half-way is on record, and a delete destroys what it made`, async () => {
    await using rig = await open();
    const resource = new RecipeResource(rig);

    await assert.rejects(
      resource.execute(rig.failing),
      (error: RecipeError) => error.recipeStatus === "executionError",
    );

    assert.equal(resource.record?.run.outcome, "failed");
    assert.ok((await rig.things()) > 0);
    await resource.delete(rig.failing);
    assert.equal(await rig.things(), 0);
  });

  it(`${name}: a template that is not there fails before anything is on record`, async () => {
    await using rig = await open();
    const resource = new RecipeResource(rig);

    await assert.rejects(resource.execute(rig.missing), (error: RecipeError) => error.recipeStatus === "setupError");

    assert.equal(resource.record, undefined);
  });

  it(`${name}: a plan tells what a run and a delete would do, and changes nothing`, async () => {
    await using rig = await open();
    const resource = new RecipeResource(rig);

    assert.deepEqual(await resource.plan(rig.working), ["create"]);
    assert.equal(await rig.things(), 0);
    assert.equal(resource.record, undefined);
    await resource.execute(rig.working, { size: "M" });
    const recorded = resource.record;

    assert.deepEqual(await resource.plan(rig.working, { size: "M" }), ["no-op"]);
    assert.notDeepEqual(await resource.plan(rig.working, { size: "L" }), ["no-op"]);
    assert.deepEqual(await resource.plan(rig.working, { size: "M" }, { destroys: true }), ["delete"]);

    assert.equal(await rig.things(), 1);
    assert.equal(resource.record, recorded);
    await resource.delete(rig.working);
    await assert.rejects(resource.plan(rig.missing), (error: RecipeError) => error.recipeStatus === "setupError");
  });

  it(`${name}: parameters of a template are told`, async () => {
    await using rig = await open();

    const parameters = await rig.driver.parameters(new RecipeResource(rig).run(rig.working));

    assert.equal(parameters["size"]?.["defaultValue"], "S");
    assert.equal(parameters["size"]?.["required"], false);
    assert.equal(parameters["context"], undefined);
  });
}

function outputsOf(output: RecipeOutput): Pick<RecipeOutput, "values" | "secrets"> {
  return { values: output.values, secrets: output.secrets };
}

/** One resource, whose record is kept as the engine keeps it. */
class RecipeResource {
  readonly #rig: DriverRig;
  record: RecipeRecord | undefined;
  /** How many things there were when a run was put on record for the first time. */
  readonly thingsAtRecord: number[] = [];

  constructor(rig: DriverRig) {
    this.#rig = rig;
  }

  async execute(definition: RecipeDefinition, parameters: JsonObject = {}): Promise<RecipeOutput> {
    const output = await this.#rig.driver.execute(this.run(definition, parameters));
    assert.ok(!("kind" in output), "paused");
    return output;
  }

  async delete(definition: RecipeDefinition): Promise<void> {
    assert.equal(await this.#rig.driver.delete(this.run(definition)), undefined);
  }

  /** @returns the actions, in the order of the plan */
  async plan(definition: RecipeDefinition, parameters: JsonObject = {}, { destroys = false } = {}): Promise<string[]> {
    const run = { ...this.run(definition, parameters), destroys, unknownMark: randomUUID() };
    return (await this.#rig.driver.plan(run)).changes.map(({ action }) => action);
  }

  run(definition: RecipeDefinition, parameters: JsonObject = {}): RecipeRun {
    const { world, configuration } = this.#rig;
    const context = world.context();
    const { resources, signal, log, requester } = context;
    const runId = randomUUID();
    return {
      runId,
      definition,
      configuration,
      resourceId: ResourceId.parse(ids.resource),
      environmentId: ResourceId.parse(ids.environment),
      applicationId: undefined,
      parameters,
      context: { resource: { name: "db" } },
      sensitive: [],
      recorded: this.record,
      record: (change) => this.#keep(runId, definition, change),
      keepLog: () => Promise.resolve(),
      readSecret: () => Promise.reject(new Error("no secrets here")),
      resources: resources.asServer,
      log,
      signal,
      hide: (values) => requester.hide(values),
      step: (name, work, options) => context.step(name, work, options),
    };
  }

  async #keep(runId: string, definition: RecipeDefinition, change: RecordChange): Promise<void> {
    const { outcome, log: _log, ...rest } = change;
    if (this.record === undefined) {
      this.thingsAtRecord.push(await this.#rig.things());
    }
    const { parameters: _parameters, ...shown } = definition;
    const run = { id: runId, kind: "execute", startedAt: "", correlationId: "" } as const;
    this.record = {
      resourceId: ids.resource,
      environmentId: ids.environment,
      definition: shown,
      state: {},
      resources: [],
      unsaved: [],
      ...this.record,
      ...rest,
      run: outcome === undefined ? run : { ...run, outcome },
    };
  }
}
