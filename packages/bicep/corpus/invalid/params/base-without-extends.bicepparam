using none
param a = base.b
