export const deploymentType = "Microsoft.Resources/deployments";
/** What upstream's clients send; deployments have no other version. */
export const deploymentsApiVersion = "2020-10-01";
