import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

interface SampleServer extends AsyncDisposable {
  /** A configuration whose workspace leads to it. */
  readonly configText: string;
}

/** Answers what `rad` asks for as a control plane would, for a bundle that is built where none runs. */
export async function startSampleServer(): Promise<SampleServer> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    response.setHeader("content-type", "application/json").end(JSON.stringify(answer(pathname)));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    configText: `workspaces:
  default: sample
  items:
    sample:
      connection:
        kind: kubernetes
        context: ""
        overrides:
          ucp: http://127.0.0.1:${port}
      scope: /planes/radius/local/resourceGroups/dev
`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function answer(path: string): object {
  const name = path.split("/").at(-1) ?? "";
  switch (name.toLowerCase()) {
    case "resourcegroups":
    case "queues":
    case "deployments":
      return { value: [resource(`${path}/a`, "a"), resource(`${path}/b`, "b")] };
    case "providers":
      return { value: [provider] };
    case "contoso.data":
      return provider;
    default:
      return resource(path, name);
  }
}

function resource(id: string, name: string): object {
  return { id, name, type: "Contoso.Data/queues", properties: { provisioningState: "Succeeded" } };
}

const provider = {
  name: "Contoso.Data",
  resourceTypes: { queues: { apiVersions: { "2025-01-01": {} }, defaultApiVersion: "2025-01-01" } },
};
