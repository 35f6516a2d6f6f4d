param outer string
param own string = newGuid()

output outer string = outer
output own string = own
