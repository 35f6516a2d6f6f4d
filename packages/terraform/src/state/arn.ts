/** `arn:partition:service:region:account:resource`; region and account may be empty. */
export interface Arn {
  readonly partition: string;
  readonly service: string;
  readonly region: string;
  readonly account: string;
  /** Everything after the fifth colon. */
  readonly resource: string;
}

const pattern = /^arn:([^:/\s]+):([^:/\s]+):([^:/\s]*):([^:/\s]*):(.+)$/su;

export function parseArn(text: string): Arn | undefined {
  const [, partition, service, region, account, resource] = pattern.exec(text) ?? [];
  return partition === undefined ||
    service === undefined ||
    region === undefined ||
    account === undefined ||
    resource === undefined
    ? undefined
    : { partition, service, region, account, resource };
}
