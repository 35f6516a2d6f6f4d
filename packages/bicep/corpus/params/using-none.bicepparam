using none
param anything = { at: ['all'] }
param number = 1 + 1
