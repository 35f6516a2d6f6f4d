@
param a string
@5
param b string
@secure() param c string
@description('x')[0]
param d string
