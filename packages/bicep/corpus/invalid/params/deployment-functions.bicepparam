using none
param a = resourceGroup().name
param b = newGuid()
param c = reference('x')
