import { readFile } from "node:fs/promises";
import { createClient } from "@rad/client";
import { deploy, parseTemplate, prepareDeployment } from "@rad/client/deploying";

const { RADIUS_URL = "", RADIUS_TOKEN, GROUP, ENVIRONMENT, APPLICATION, DEPLOYMENT, PARAMETERS = "{}" } = process.env;
const client = createClient({ endpoint: RADIUS_URL, token: RADIUS_TOKEN });
const prepared = await prepareDeployment(client, {
  scope: `/planes/radius/local/resourceGroups/${GROUP}`,
  template: parseTemplate(await readFile(process.argv[2] ?? "", "utf8")),
  parameters: [{ kind: "values", values: JSON.parse(PARAMETERS) }],
  environment: ENVIRONMENT,
  application: APPLICATION,
  name: DEPLOYMENT,
});
const { name, state, error } = await deploy(client, prepared);
console.log(name, state, error?.wire ?? "");
