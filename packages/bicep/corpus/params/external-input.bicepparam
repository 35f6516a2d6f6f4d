using 'external-input/main.bicep'
param stage = externalInput('sys.cli', 'stage')
param again = externalInput('sys.cli', 'stage')
param label = 'at ${externalInput('custom.tool')}'
param options = externalInput('custom.tool', { path: '/a' })
param plain = 'x'
