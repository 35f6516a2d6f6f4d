import * as text from 'functions-across-files/lib/text.bicep'
import { settings as defaults, merged } from 'functions-across-files/lib/settings.bicep'
type local = { title: string, limits: text.limits }
func titled(value local) string => text.surround(value.title, defaults.open)
param value local = { title: 'x', limits: merged(2) }
output all array = [titled(value), text.twice('y'), defaults, text.marks]
output limits text.limits = merged(5)
