import { missing, hidden, a as b } from 'not-found/shared.bicep'
var c = missing
var d = hidden()
param e missing
output f int = b
