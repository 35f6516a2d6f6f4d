param text string
param number int
param flag bool
param list array
param map object
param withDefault string = 'x'
param computed string = '${withDefault}-${uniqueString(resourceGroup().id)}'
param numberDefault int = 5
param objectDefault object = { a: [1, 2], b: text }
param listDefault array = []
