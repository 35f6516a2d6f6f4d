var wrapped = '[not an expression]'
var openOnly = '[start'
var closeOnly = 'end]'
var keys = {
  '[key]': 'value'
  plain: '[inner]'
}
param suffix string
output mixed string = '[${suffix}]'
output literals array = [wrapped, openOnly, closeOnly, keys]
