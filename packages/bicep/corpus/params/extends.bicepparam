using 'extends/main.bicep'
extends 'extends/base.bicepparam'
param tier = 'premium'
param tags = { ...base.tags, stage: 'production' }
