@secure()
param a string = toLower('X')
@secure()
param b object = { c: newGuid() }
@secure()
param d object = {}
@secure()
param e string = d.value
param f string = a
@secure()
@description('Used.')
output used object = { a: a, b: b, e: e, f: f }
