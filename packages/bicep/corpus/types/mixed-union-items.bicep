type mixed = ('a' | 1 | true | null)[]
param values mixed
output values mixed = values
