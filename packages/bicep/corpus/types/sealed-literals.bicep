type choice = { kind: 'a', list: ['x', 1] }
param one choice
param either ({ kind: 'a' })?
output all array = [one, either]
