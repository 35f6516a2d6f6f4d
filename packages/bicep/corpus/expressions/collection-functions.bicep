param list array
param map object
output arrays array = [
  array('x')
  concat(list, ['x'])
  distinct(list)
  first(list)
  last(list)
  flatten([list, list])
  intersection(list, ['a'])
  union(list, ['b'])
  range(0, 3)
  skip(list, 1)
  take(list, 1)
  split('a;b,c', [';', ','])
  min(list)
  max(1, 2, 3)
  items(map)
  objectKeys(map)
]
output objects array = [
  union(map, { a: 1 })
  intersection(map, { a: 1 })
  shallowMerge([map, { a: 1 }])
  contains(map, 'a')
  empty(map)
  length(map)
]
