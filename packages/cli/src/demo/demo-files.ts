/** The platform engineer's part of the demo. */
export const manifestText = `namespace: Contoso.Messaging
types:
  queues:
    description: A message queue
    defaultApiVersion: "2025-01-01-preview"
    apiVersions:
      "2025-01-01-preview":
        schema:
          type: object
          properties:
            environment:
              type: string
              description: The environment the queue belongs to
            depth:
              type: integer
              description: How many messages it holds at most
            accessKey:
              type: string
              x-radius-sensitive: true
              description: Sealed at rest and never shown again
          required: [depth]
`;

/** The developer's part. */
export const resourceText = `{
  "properties": {
    "environment": "/planes/radius/local/resourceGroups/demo/providers/Radius.Core/environments/demo",
    "depth": 100,
    "accessKey": "a value that will not come back"
  }
}
`;
