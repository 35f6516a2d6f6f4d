output later string = derived
var derived = '${base}-x'
var base = toLower(input)
param input string
