param name string
output lower string = sys.toLower(name)
output group string = az.resourceGroup().name
output upper string = toUpper(sys.trim(name))
