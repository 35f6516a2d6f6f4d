import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { moduleText, ordersText } from "./recipe-files.ts";
import { startModuleServer } from "./module-server.ts";

export interface RecipePart {
  /** Where the commands run. */
  readonly folder: string;
  readonly say: (line: string) => void;
  readonly print: (text: string) => void;
  /** Runs `rad`. @returns its exit code */
  readonly run: (...args: readonly string[]) => Promise<number>;
}

const type = "Applications.Datastores/sqlDatabases";
const environment = "databases";

/**
 * Deploys an application whose database a Terraform recipe creates. The module is served until the result is disposed:
 * deleting the database may need it again.
 */
export async function showRecipe({ folder, say, print, run }: RecipePart): Promise<AsyncDisposable> {
  const modules = await startModuleServer({ "main.tf": moduleText });
  await writeFile(join(folder, "orders.bicep"), ordersText);
  say("\nA recipe says how a resource is created: here by this Terraform module, which the demo serves.\n");
  print(moduleText);
  const recipe = ["--environment", environment, "--resource-type", type] as const;
  const template = ["--template-kind", "terraform", "--template-path", modules.source] as const;
  const isShown = await inOrder(
    () => run("env", "create", environment),
    () => run("recipe", "register", "default", ...recipe, ...template, "--parameters", "size=large"),
    () => run("recipe", "show", "default", ...recipe),
    () => {
      say("\nThe developer asks for a database, and needs no word about Terraform.\n");
      print(ordersText);
      return run("deploy", "orders.bicep", "--environment", environment);
    },
    () => run("resource", "show", type, "orders-db", "-o", "json"),
    () => run("resource", "logs", type, "orders-db"),
  );
  if (!isShown) {
    say("\nThe recipe did not run; see above. The demo goes on without it.");
  }
  return modules;
}

/** Runs commands until one fails. @returns whether none did */
async function inOrder(...commands: readonly (() => Promise<number>)[]): Promise<boolean> {
  for (const command of commands) {
    if ((await command()) !== 0) {
      return false;
    }
  }
  return true;
}
