param first string?
param second string?
output value string = first ?? second ?? 'none'
output size int = length(first ?? '')
