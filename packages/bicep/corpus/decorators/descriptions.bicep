@description('A name.')
param name string
@description('''
  Two lines,
    the second one deeper.
''')
param text string
@sys.description('A value.')
var value = '${name}${text}'
@description('An output.')
output value string = value
@description('A cart.')
resource cart 'Contoso.Shop/carts@2024-01-01' = {
  name: name
}
