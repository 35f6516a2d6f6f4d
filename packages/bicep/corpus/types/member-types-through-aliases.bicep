type inner = { value: string }
type middle = inner
type outer = { item: middle }
type value = outer.item.value
param given value
output given string = given
