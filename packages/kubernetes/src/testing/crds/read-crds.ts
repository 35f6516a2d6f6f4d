import { glob, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { parseAllDocuments } from "yaml";
import { go } from "../server/go.ts";
import { cachedTool } from "../server/tools-cache.ts";
import { crdModules } from "./crd-modules.ts";
import type { CrdModule, CrdProduct } from "./crd-modules.ts";

/** A CustomResourceDefinition, as far as the kit looks into it. */
export interface Crd {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly group: string;
    readonly names: { readonly plural: string };
    readonly versions: readonly { readonly name: string; readonly served: boolean }[];
  };
}

/** The CRDs that a product's release has. Its module is fetched once; what is read from it stays in the tools cache. */
export async function readCrds(product: CrdProduct): Promise<Crd[]> {
  const module = crdModules[product];
  const file = "crds.json";
  const folder = await cachedTool({
    name: `crds-${product}-${module.version}-${path.basename(path.dirname(module.files))}`,
    async make(folder, report) {
      report(`Fetching the CRDs of ${module.path} ${module.version} (once)`);
      const crds = await readModule(module, folder);
      await writeFile(path.join(folder, file), JSON.stringify(crds));
    },
  });
  return JSON.parse(await readFile(path.join(folder, file), "utf8")) as Crd[];
}

async function readModule({ path: name, version, sum, files }: CrdModule, cwd: string): Promise<Crd[]> {
  const answer = await go(["mod", "download", "-json", `${name}@${version}`], cwd);
  const { Dir: folder, Sum: found } = JSON.parse(answer) as { Dir: string; Sum: string };
  if (found !== sum) {
    throw new Error(`The module ${name}@${version} has the digest ${found}, not ${sum}`);
  }
  const crds: Crd[] = [];
  for await (const file of glob(files, { cwd: folder })) {
    for (const document of parseAllDocuments(await readFile(path.join(folder, file), "utf8"))) {
      const object = document.toJS() as Crd | null;
      if (object?.kind === "CustomResourceDefinition") {
        crds.push(object);
      }
    }
  }
  if (crds.length === 0) {
    throw new Error(`The module ${name}@${version} has no CustomResourceDefinition in ${files}`);
  }
  return crds;
}
