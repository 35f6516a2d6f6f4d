import type { JsonObject } from "@rad/core";
import { box, boxTemplate } from "@rad/deployments/testing";

const shared = {
  parameters: {
    endpoint: { type: "string" },
    secret: { type: "securestring" },
  },
  config: { endpoint: "[parameters('endpoint')]", password: "[concat('of ', parameters('secret'))]" },
};
const handedOn = {
  account: { value: "[parameters('account')]" },
  endpoint: { value: "[parameters('endpoint')]" },
  secret: { value: "[parameters('secret')]" },
};

const rounds = 3;

/** Some boxes each of which needs the id of another one, whatever way that comes to be known. */
const nested = boxTemplate(
  {
    quick: box({ of: "[parameters('of')]", token: "[parameters('secret')]", answerMs: 40 }),
    slow: box({ of: "[reference('quick').id]", workMs: 60, answerMs: 20 }),
    late: box({ of: "[reference('slow').id]", workMs: 40, lateId: true, answerMs: 20 }),
  },
  {
    ...shared,
    parameters: { ...shared.parameters, of: { type: "string" } },
    outputs: { late: { type: "string", value: "[reference('late').id]" } },
  },
);

/**
 * Boxes of a provider that chooses their ids: quick and slow ones, some that are refused at first, nested deployments
 * in which each needs the one before, and one of our own resources that holds the id of the last.
 */
export const boxDeployment: JsonObject = boxTemplate(
  {
    first: box({ token: "[parameters('secret')]", workMs: 30 }),
    many: box(
      {
        of: "[reference('first').id]",
        answerMs: 60,
        workMs: "[mul(copyIndex(), 25)]",
        lateId: "[equals(mod(copyIndex(), 2), 0)]",
      },
      { copy: { name: "many", count: rounds } },
    ),
    retried: box(
      { title: "[concat(parameters('account'), ' ', copyIndex())]", refuseTimes: "[copyIndex()]", workMs: 20 },
      { copy: { name: "retried", count: 2 }, "@options": { retryOn: [["BadRequest"], 3] } },
    ),
    opened: box({ combination: "[listCombination('first', 'v1').combination]" }),
    inner: {
      type: "Microsoft.Resources/deployments",
      apiVersion: "2022-09-01",
      name: "[concat('inner', copyIndex())]",
      copy: { name: "inner", count: rounds, mode: "Serial", batchSize: 2 },
      properties: {
        mode: "Incremental",
        expressionEvaluationOptions: { scope: "inner" },
        template: nested,
        parameters: { ...handedOn, of: { value: "[reference('first').id]" } },
      },
    },
    last: box({ of: "[reference('inner[2]').outputs.late.value]", workMs: 10 }),
    note: {
      import: "radius",
      type: "Test.Steered/things@2025-01-01",
      properties: { name: "note", properties: { id: "[reference('last').id]", password: "[parameters('secret')]" } },
    },
  },
  { ...shared, outputs: { last: { type: "string", value: "[reference('last').id]" } } },
);

export const boxCount = 1 + rounds + 2 + 1 + rounds * 3 + 1;
