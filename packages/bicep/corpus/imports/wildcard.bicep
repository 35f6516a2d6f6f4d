import * as shared from 'wildcard/shared.bicep'
param tier shared.tier = 'small'
output number int = shared.double(shared.start)
output tier shared.tier = tier
