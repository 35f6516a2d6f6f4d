param open string
@secure()
param closed string
output used bool = empty(open) || empty(closed)
