param property string
param item string
param listed array
param table object
param mapped array
param decorated string
param shaped object
param looped array
param again string
param numbers array
param limits object
param chosen string
output all array = [property, item, listed, table, mapped, decorated, shaped, looped, again, numbers, limits, chosen]
