param list array
param map object
@secure()
param secret string
param nothing string?
param quoted string
output all array = [list, map, empty(secret), nothing, quoted]
