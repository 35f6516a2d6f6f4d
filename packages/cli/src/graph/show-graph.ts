import { resolve } from "node:path";
import type { Client } from "@rad/client";
import { isJsonObject, type JsonObject } from "@rad/core/json";
import type { ApplicationOptions } from "../applications/find-application.ts";
import { namedApplication } from "../applications/find-application.ts";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import type { FamilyResource } from "../families/family-resource.ts";
import { mustFind } from "../families/family-resource.ts";
import { oneName } from "../names.ts";
import { checkGroupName, groupId } from "../scope.ts";
import { printGraph } from "./print-graph.ts";

export interface GraphOptions extends ApplicationOptions {
  readonly includeIcons?: boolean;
  readonly parameters?: readonly string[];
}

const modeledFile = "app-graph.json";
const modeledGroup = "default";

/** Prints the graph of an application, as the control plane has it, or of a file, as it would be. */
export async function showGraph(
  context: CommandContext,
  given: string | undefined,
  options: GraphOptions,
): Promise<void> {
  const file = given !== undefined && /\.bicep(?:param)?$/i.test(given) ? given : undefined;
  if (file === undefined && options.parameters !== undefined) {
    throw new CliError("InvalidUsage", "`--parameters` are for a Bicep file, and none was given.");
  }
  if (file !== undefined && options.application === undefined) {
    await showModeled(context, file, options);
  } else {
    const name = file === undefined ? oneName("application", given, options.application) : options.application;
    await showDeployed(context, name, file, options);
  }
}

/** Without a format to print it in, the graph goes to a file of upstream's name. */
async function showModeled(context: CommandContext, file: string, options: GraphOptions): Promise<void> {
  const { output, host } = context;
  const { modelFile } = await import("./model-file.ts");
  const { modeledGraph } = await import("./modeled-graph.ts");
  const group = groupId(await checkGroupName(options.group ?? modeledGroup));
  const { resources, application } = await modelFile(context, file, options.parameters ?? [], group);
  const document = { resources: modeledGraph(resources) };
  if (output.format === "json" || context.ownFormat !== undefined) {
    await printGraph(context, application, document);
    return;
  }
  const { writeOutput } = await import("../bicep/output-file.ts");
  const path = resolve(host.cwd, modeledFile);
  await writeOutput(path, `${JSON.stringify(document, undefined, 2)}\n`);
  const { length } = document.resources;
  output.result(`The graph has ${length} resource${length === 1 ? "" : "s"}: ${path}`);
}

async function showDeployed(
  context: CommandContext,
  name: string | undefined,
  file: string | undefined,
  options: GraphOptions,
): Promise<void> {
  const workspace = await context.workspace();
  const wanted = await namedApplication(context, workspace, name, options);
  const client = await context.client(workspace);
  const application = await mustFind(client, wanted, workspace.name);
  const request = await requestFor(context, application, file, options);
  await printGraph(context, application.name, await askForGraph(client, application, request));
}

/** @throws CliError when the application's family does not take what the options ask for */
async function requestFor(
  context: CommandContext,
  { namespace, group }: FamilyResource,
  file: string | undefined,
  { includeIcons, parameters = [] }: GraphOptions,
): Promise<JsonObject> {
  if (namespace !== "Radius.Core") {
    const refused = file === undefined ? includeIcons === true && "icons" : "dependencies of a file";
    if (refused !== false) {
      throw new CliError("InvalidUsage", `The graph of an application of ${namespace} takes no ${refused}.`);
    }
    return {};
  }
  const request: JsonObject = includeIcons === true ? { includeIcons } : {};
  if (file === undefined) {
    return request;
  }
  const { modelFile } = await import("./model-file.ts");
  const { dependsOnEdges } = await import("./modeled-graph.ts");
  const { resources } = await modelFile(context, file, parameters, groupId(group));
  return { ...request, dependsOnEdges: dependsOnEdges(resources) };
}

async function askForGraph(client: Client, { id, apiVersion }: FamilyResource, body: JsonObject): Promise<JsonObject> {
  const graph = await client.resources.action(id, "getGraph", body, { apiVersion });
  if (!isJsonObject(graph)) {
    throw new CliError("UnexpectedResponse", "The control plane sent something else than a graph.");
  }
  return graph;
}
