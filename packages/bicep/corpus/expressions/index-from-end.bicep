param list array
output last string = list[^1]
output secondLast string = list[^2].name
output maybe string = list[?^1] ?? 'none'
output afterSafe string = list[?0][^1] ?? 'none'
