param used string
param unused string
var unusedVariable = used
type unusedType = string
resource unusedExisting 'Contoso.Data/caches@2024-03-01' existing = {
  name: 'x'
}
import { a, b } from 'unused/shared.bicep'
import * as shared from 'unused/shared.bicep'
@export()
var exported = a
