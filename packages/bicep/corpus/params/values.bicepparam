using 'values/main.bicep'
param text = 'x'
param number = 3
param flag = true
param list = ['a', 'b']
param map = {
  nested: { value: 1 }
}
