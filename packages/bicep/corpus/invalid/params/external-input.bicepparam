using none
param kind = 'sys.cli'
param a = externalInput(kind, 'x')
