import { randomUUID } from "node:crypto";
import { constants, copyFile, link, rm, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { CliError, systemCode } from "../cli-error.ts";
import type { Family } from "../families/choose-families.ts";

export interface InitFile {
  readonly path: string;
  readonly status: "created" | "kept";
}

/** Writes a file unless there is one already, whoever put it there and when. */
export async function writeNewFile(folder: string, name: string, text: string): Promise<InitFile> {
  const path = resolve(folder, name);
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    await writeFile(temporary, text, { flag: "wx" });
    await placeNew(temporary, path);
    return { path, status: "created" };
  } catch (error) {
    if (systemCode(error) === "EEXIST") {
      return { path, status: "kept" };
    }
    throw new CliError("FileUnwritable", `${path} cannot be written (${systemCode(error) ?? "unknown error"}).`);
  } finally {
    await rm(temporary, { force: true });
  }
}

/** Unlike a rename, a link replaces nothing; not every file system has them. */
async function placeNew(temporary: string, path: string): Promise<void> {
  try {
    await link(temporary, path);
  } catch (error) {
    if (systemCode(error) === "EEXIST") {
      throw error;
    }
    await copyFile(temporary, path, constants.COPYFILE_EXCL);
  }
}

/** For editors, which have no types of their own. `rad` has, and takes those where the registry cannot be reached. */
export const bicepConfigText = `${JSON.stringify(
  {
    extensions: {
      radius: "br:biceptypes.azurecr.io/radius:latest",
      aws: "br:biceptypes.azurecr.io/aws:latest",
    },
  },
  undefined,
  2,
)}\n`;

const image = "ghcr.io/radius-project/samples/demo:latest";

/** An application with one container; `rad deploy` takes it as it is. */
export function applicationText(application: string, { namespace, apiVersion }: Family): string {
  return `extension radius

@description('Where the application runs. rad fills it in.')
param environment string

resource app '${namespace}/applications@${apiVersion}' = {
  name: '${application}'
  properties: {
    environment: environment
  }
}

${namespace === "Radius.Core" ? newerContainer(apiVersion) : olderContainer(apiVersion)}`;
}

function olderContainer(apiVersion: string): string {
  return `resource demo 'Applications.Core/containers@${apiVersion}' = {
  name: 'demo'
  properties: {
    application: app.id
    container: {
      image: '${image}'
      ports: {
        web: {
          containerPort: 3000
        }
      }
    }
  }
}
`;
}

function newerContainer(apiVersion: string): string {
  return `resource demo 'Radius.Compute/containers@${apiVersion}' = {
  name: 'demo'
  properties: {
    environment: environment
    application: app.id
    containers: {
      demo: {
        image: '${image}'
        ports: {
          web: {
            containerPort: 3000
          }
        }
      }
    }
  }
}
`;
}
