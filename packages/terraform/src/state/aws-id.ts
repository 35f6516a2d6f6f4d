import { ResourceId } from "@rad/core";
import { parseArn } from "./arn.ts";
import type { Arn } from "./arn.ts";
import { derivedId, sensitiveId } from "./derived-id.ts";
import type { DerivedId } from "./derived-id.ts";
import { isSensitive, textAt } from "./state-resource.ts";
import type { StateResource } from "./state-resource.ts";

/** ARNs of buckets, objects, topics, subscriptions and queues carry no type; their separators belong to the name. */
const withoutTypeInArn = /^aws_(?:s3_bucket|s3_object|sns_topic|sqs_queue)(?:_|$)/u;

/**
 * The id of a resource of `aws`, from its ARN:
 * `/planes/aws/<partition>/accounts/<account>/regions/<region>/providers/AWS.<service>/<type>/<name>`.
 * @param scope the environment's AWS scope, which gives the account where an ARN has none
 */
export function awsId(resource: StateResource, scope: string | undefined): DerivedId {
  const text = textAt(resource, "arn") ?? arnIn(textAt(resource, "id"));
  if (text === undefined) {
    return { skipped: "it has no ARN" };
  }
  if (isSensitive(resource, "arn") || isSensitive(resource, "id")) {
    return sensitiveId;
  }
  const arn = parseArn(text);
  if (arn === undefined) {
    return { skipped: "its ARN is not valid" };
  }
  const account = arn.account || accountOf(scope);
  if (account === undefined) {
    return { skipped: "its ARN has no account, and the environment has no AWS scope" };
  }
  const named = typeAndName(arn, resource.type);
  if (named === undefined) {
    return { skipped: "its ARN is not valid" };
  }
  const scopes = `/planes/aws/${arn.partition}/accounts/${account}/regions/${arn.region || "global"}`;
  return derivedId(
    `${scopes}/providers/AWS.${arn.service}/${named.type}/${named.name}`,
    "its ARN does not give a resource id",
  );
}

/**
 * Ids of attachments and versions begin with an ARN, and go on with what is attached: they name nothing that exists. Names in
 * IAM may have a comma.
 */
const composed = /\||.arn:|^arn:[^:]*:(?!iam:).*,/u;

function arnIn(id: string | undefined): string | undefined {
  return id !== undefined && parseArn(id) !== undefined && !composed.test(id) ? id : undefined;
}

function accountOf(scope: string | undefined): string | undefined {
  const id = scope === undefined ? undefined : ResourceId.tryParse(scope);
  return id?.scopes.find(({ type }) => type.toLowerCase() === "accounts")?.name;
}

function typeAndName(arn: Arn, terraformType: string): { type: string; name: string } | undefined {
  const resource = arn.resource.replace(/^\//u, "");
  const separator = resource.search(/[/:]/u);
  const isTyped = separator >= 0 && !withoutTypeInArn.test(terraformType);
  const type = isTyped ? resource.slice(0, separator) : typeIn(terraformType, arn.service);
  const name = isTyped ? resource.slice(separator + 1) : resource;
  // Older versions of the provider write the ARN of a log group with what stands for all of its streams.
  const exact = arn.service === "logs" && type === "log-group" ? name.replace(/:\*$/u, "") : name;
  if (type === "" || exact === "" || !exact.isWellFormed()) {
    return undefined;
  }
  return { type, name: encodeURIComponent(exact).replaceAll("%3A", ":") };
}

/** `aws_sns_topic` of the service `sns` is a `topic`. */
function typeIn(terraformType: string, service: string): string {
  const type = terraformType.replace(/^aws_/u, "");
  return type.startsWith(`${service}_`) ? type.slice(service.length + 1) : type;
}
