/** The bits of a property in a Bicep type package. */
export const PropertyFlag = { Required: 1, ReadOnly: 2, WriteOnly: 4, DeployTimeConstant: 8, Identifier: 16 } as const;
