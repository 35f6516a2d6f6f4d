param first string
param second string
output all array = [first, second]
