assert
assert a
test
test b
test c 'x.bicep' =
