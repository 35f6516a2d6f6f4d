import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Sandbox } from "./sandbox.ts";

export const widgetsManifest = `namespace: Contoso.Test
types:
  widgets:
    description: Something to test with
    apiVersions:
      "2025-01-01-preview":
        schema:
          type: object
          properties:
            size: { type: integer, description: How large }
            key: { type: string, x-radius-sensitive: true }
            host: { type: string, readOnly: true }
            nested:
              type: object
              properties:
                inner: { type: string }
`;

/** Registers the type `Contoso.Test/widgets`. */
export async function registerWidgets(sandbox: Sandbox): Promise<void> {
  await writeFile(join(sandbox.home, "widgets.yaml"), widgetsManifest);
  const { code, stderr } = await sandbox.rad(["resource-type", "create", "-f", "widgets.yaml"]);
  if (code !== 0) {
    throw new Error(stderr);
  }
}
