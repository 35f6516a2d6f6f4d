import assert from "node:assert/strict";
import { it } from "node:test";
import type { JsonObject } from "@rad/core";
import { resourceIdsOf } from "./resource-ids.ts";
import { resource, stateOf } from "./state-builder.ts";

const awsScope = "/planes/aws/aws/accounts/999988887777/regions/us-west-2";

function idsOf(
  type: string,
  values: JsonObject,
  scope: string | undefined,
  more: JsonObject = {},
): { ids: readonly string[]; skipped: string[] } {
  const skipped: string[] = [];
  const ids = resourceIdsOf(stateOf({ resources: [resource(type, values, more)] }), {
    awsScope: scope,
    onSkipped: (address, reason) => skipped.push(`${address}: ${reason}`),
  });
  return { ids, skipped };
}

it("the subnet of the seed gives the id of the seed", () => {
  const arn = "arn:aws:ec2:us-east-2:179022619019:subnet/subnet-0ddfaa93733f98002";
  assert.deepEqual(idsOf("aws_subnet", { arn }, undefined).ids, [
    "/planes/aws/aws/accounts/179022619019/regions/us-east-2/providers/AWS.ec2/subnet/subnet-0ddfaa93733f98002",
  ]);
});

// [Terraform type, service, rest of the ARN, tail of the id]
for (const [type, service, rest, tail] of [
  ["aws_db_instance", "rds", "db:mydb", "AWS.rds/db/mydb"],
  ["aws_elasticache_cluster", "elasticache", "cluster:c", "AWS.elasticache/cluster/c"],
  ["aws_lambda_function", "lambda", "function:f", "AWS.lambda/function/f"],
  ["aws_lambda_alias", "lambda", "function:f:prod", "AWS.lambda/function/f:prod"],
  ["aws_sns_topic", "sns", "t", "AWS.sns/topic/t"],
  ["aws_sns_topic_policy", "sns", "t", "AWS.sns/topic_policy/t"],
  ["aws_sns_topic_subscription", "sns", "t:00-11", "AWS.sns/topic_subscription/t:00-11"],
  ["aws_sns_platform_application", "sns", "app/GCM/a", "AWS.sns/app/GCM%2Fa"],
  ["aws_sqs_queue", "sqs", "q.fifo", "AWS.sqs/queue/q.fifo"],
  ["aws_sqs_queue_policy", "sqs", "q", "AWS.sqs/queue_policy/q"],
  ["aws_codepipeline", "codepipeline", "build", "AWS.codepipeline/codepipeline/build"],
  ["aws_codecommit_repository", "codecommit", "code", "AWS.codecommit/repository/code"],
  ["aws_s3_access_point", "s3", "accesspoint/ap", "AWS.s3/accesspoint/ap"],
  ["aws_ecs_service", "ecs", "service/cl/svc", "AWS.ecs/service/cl%2Fsvc"],
  ["aws_ecs_task_definition", "ecs", "task-definition/orders:42", "AWS.ecs/task-definition/orders:42"],
  ["aws_lb", "elasticloadbalancing", "loadbalancer/app/lb/50d", "AWS.elasticloadbalancing/loadbalancer/app%2Flb%2F50d"],
  ["aws_secretsmanager_secret", "secretsmanager", "secret:n-AbC", "AWS.secretsmanager/secret/n-AbC"],
  ["aws_cloudwatch_log_group", "logs", "log-group:/aws/lambda/f:*", "AWS.logs/log-group/%2Faws%2Flambda%2Ff"],
  ["aws_cloudwatch_log_group", "logs", "log-group:/ecs/x", "AWS.logs/log-group/%2Fecs%2Fx"],
  ["aws_cloudwatch_log_stream", "logs", "log-group:g:log-stream:s", "AWS.logs/log-group/g:log-stream:s"],
  ["aws_ssm_parameter", "ssm", "parameter/a/b", "AWS.ssm/parameter/a%2Fb"],
  [
    "aws_autoscaling_group",
    "autoscaling",
    "autoScalingGroup:0-1:autoScalingGroupName/g",
    "AWS.autoscaling/autoScalingGroup/0-1:autoScalingGroupName%2Fg",
  ],
  ["aws_kinesis_stream", "kinesis", "stream/50% é?#[x]", "AWS.kinesis/stream/50%25%20%C3%A9%3F%23%5Bx%5D"],
] as const) {
  it(`the ARN ${service} ${rest} of an ${type} gives ${tail}`, () => {
    const { ids, skipped } = idsOf(type, { arn: `arn:aws:${service}:us-west-2:1:${rest}` }, undefined);
    assert.deepEqual(ids, [`/planes/aws/aws/accounts/1/regions/us-west-2/providers/${tail}`]);
    assert.deepEqual(skipped, []);
  });
}

for (const [type, arn, tail] of [
  [
    "aws_iam_role",
    "arn:aws:iam::1:role/service-role/R",
    "accounts/1/regions/global/providers/AWS.iam/role/service-role%2FR",
  ],
  [
    "aws_cloudfront_distribution",
    "arn:aws:cloudfront::1:distribution/E1",
    "accounts/1/regions/global/providers/AWS.cloudfront/distribution/E1",
  ],
] as const) {
  it(`an ARN without a region is global: ${arn}`, () => {
    assert.deepEqual(idsOf(type, { arn }, undefined).ids, [`/planes/aws/aws/${tail}`]);
  });
}

for (const [type, arn, tail] of [
  ["aws_s3_bucket", "arn:aws:s3:::my-bucket", "global/providers/AWS.s3/bucket/my-bucket"],
  ["aws_s3_object", "arn:aws:s3:::my-bucket/dir/obj", "global/providers/AWS.s3/object/my-bucket%2Fdir%2Fobj"],
  ["aws_s3_bucket_object", "arn:aws:s3:::b/a:b", "global/providers/AWS.s3/bucket_object/b%2Fa:b"],
  ["aws_s3_object_copy", "arn:aws:s3:::b/o", "global/providers/AWS.s3/object_copy/b%2Fo"],
  ["aws_route53_zone", "arn:aws:route53:::hostedzone/Z1", "global/providers/AWS.route53/hostedzone/Z1"],
  [
    "aws_api_gateway_rest_api",
    "arn:aws:apigateway:us-west-2::/restapis/x",
    "us-west-2/providers/AWS.apigateway/restapis/x",
  ],
] as const) {
  it(`an ARN without an account takes that of the scope, and gives none without a scope: ${arn}`, () => {
    assert.deepEqual(idsOf(type, { arn }, awsScope).ids, [`/planes/aws/aws/accounts/999988887777/regions/${tail}`]);
    for (const scope of [undefined, "", "nothing", "/planes/aws/aws"]) {
      assert.deepEqual(idsOf(type, { arn }, scope), {
        ids: [],
        skipped: [`${type}.x: its ARN has no account, and the environment has no AWS scope`],
      });
    }
  });
}

it("other partitions stay", () => {
  const arn = (partition: string): string => `arn:${partition}:ec2:r:1:vpc/v`;
  assert.deepEqual(idsOf("aws_vpc", { arn: arn("aws-cn") }, awsScope).ids, [
    "/planes/aws/aws-cn/accounts/1/regions/r/providers/AWS.ec2/vpc/v",
  ]);
  assert.deepEqual(idsOf("aws_vpc", { arn: arn("aws-us-gov") }, awsScope).ids, [
    "/planes/aws/aws-us-gov/accounts/1/regions/r/providers/AWS.ec2/vpc/v",
  ]);
});

it("an id that is an ARN stands in for a missing one", () => {
  const id = "arn:aws:cloudformation:us-west-2:1:stack/s/00-11";
  const expected = ["/planes/aws/aws/accounts/1/regions/us-west-2/providers/AWS.cloudformation/stack/s%2F00-11"];
  for (const arn of [undefined, null, "", 3]) {
    const values: JsonObject = arn === undefined ? { id } : { id, arn };
    assert.deepEqual(idsOf("aws_cloudformation_stack", values, undefined).ids, expected);
  }
});

for (const arn of [
  "my-bucket",
  "arn:aws:ec2",
  "arn:aws:ec2:us-west-2:1:",
  "arn:aws:ec2:us-west-2:1",
  "arn:aws:ec2:us-west-2:1:vpc/",
  "arn:aws:ec2:us-west-2:1:/",
  "arn:aws:ec2:us-west-2:1://x",
  "arn:aws:ec2:us-west-2:1::x",
  "arn:aws:logs:us-west-2:1:log-group::*",
  "arn::ec2:us-west-2:1:vpc/v",
  "arn:aws::us-west-2:1:vpc/v",
  "ARN:aws:ec2:us-west-2:1:vpc/v",
  "arn:aws:ec2:us/west:1:vpc/v",
  "arn:aws:ec2:us-west-2:providers:vpc/v",
  "arn:aws:ec2:us-west-2:1:providers/v",
  "arn:aws:ec2:us-west-2:1:vpc/providers",
  "arn:aws:ec2:us-west-2:1:v\npc/v",
  "arn:aws:ec2:us-west-2:1:vpc/\ud800",
]) {
  it(`a broken ARN is skipped: ${JSON.stringify(arn)}`, () => {
    const { ids, skipped } = idsOf("aws_vpc", { arn, id: "vpc-1" }, awsScope);
    assert.deepEqual(ids, []);
    assert.match(skipped.join("\n"), /^aws_vpc\.x: its ARN [^\n]+$/u);
  });
}

it("a resource without an ARN gives no id", () => {
  assert.deepEqual(idsOf("aws_route", { id: "r-rtb-1" }, awsScope), {
    ids: [],
    skipped: ["aws_route.x: it has no ARN"],
  });
});

for (const id of [
  "arn:aws:secretsmanager:us-west-2:1:secret:n-AbC|terraform-1",
  "arn:aws:elasticloadbalancing:us-west-2:1:targetgroup/t/0,i-1",
  "arn:aws:elasticloadbalancing:us-west-2:1:listener/app/a/0/1_arn:aws:acm:us-west-2:1:certificate/2",
]) {
  it(`an id that is composed of an ARN and something else is none: ${id}`, () => {
    assert.deepEqual(idsOf("aws_thing", { id }, awsScope), { ids: [], skipped: ["aws_thing.x: it has no ARN"] });
  });
}

it("an id that is the ARN of a name with a comma is taken", () => {
  const id = "arn:aws:iam::1:user/jo@example.com,x=1";
  assert.deepEqual(idsOf("aws_thing", { id }, awsScope).ids, [
    `/planes/aws/aws/accounts/1/regions/global/providers/AWS.iam/user/${encodeURIComponent("jo@example.com,x=1")}`,
  ]);
});

it("an ARN that Terraform marks as sensitive is not shown, nor is the id beside it", () => {
  const arn = "arn:aws:ec2:us-west-2:1:vpc/canary-7f";
  const { ids, skipped } = idsOf("aws_vpc", { arn, id: arn }, awsScope, { sensitive_values: { arn: true } });
  assert.deepEqual(ids, []);
  assert.doesNotMatch(skipped.join(), /canary/u);
});
