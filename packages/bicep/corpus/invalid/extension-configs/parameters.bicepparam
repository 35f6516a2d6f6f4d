using 'parameters/main.bicep'
extensionConfig unknown with { namespace: 'x' }
