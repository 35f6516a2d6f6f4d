import { ApiError } from "@rad/core";
import { jsonAnswer, type Route } from "@rad/modules";
import type { TerraformInstaller } from "@rad/terraform";

const installerRead = "Radius.Core/installer/read";
const installerWrite = "Radius.Core/installer/write";

/** The URLs of the installer. An `api-version` is tolerated, as it is everywhere outside the id grammar. */
export function installerRoutes(installer: TerraformInstaller): readonly Route[] {
  return [
    {
      method: "POST",
      path: "/installer/terraform/install",
      permission: installerWrite,
      body: "json",
      handle: async (request) => {
        const { status, body } = await installer.install(request, request.body);
        return jsonAnswer(status, body);
      },
    },
    {
      method: "POST",
      path: "/installer/terraform/uninstall",
      permission: installerWrite,
      body: "json",
      handle: async (request) => {
        const { status, body } = await installer.uninstall(request, request.body);
        return jsonAnswer(status, body);
      },
    },
    {
      method: "GET",
      path: "/installer/terraform/status",
      permission: installerRead,
      handle: async (request) => ({ status: 200, json: await installer.status(request) }),
    },
    {
      method: "GET",
      path: "/installer/terraform/binaries/*",
      permission: installerRead,
      handle: async ({ rest }) => {
        const [sha256 = "", ...more] = rest;
        const binary = more.length === 0 ? await installer.binary(sha256) : undefined;
        if (binary === undefined) {
          throw new ApiError("NotFound", "This process has no binary with that SHA-256.");
        }
        const headers = {
          "Content-Type": "application/octet-stream",
          "Content-Length": String(binary.size),
          "Cache-Control": "no-store",
        };
        return { status: 200, headers, body: binary.content() };
      },
    },
  ];
}
