func apply(list array) array => map(list, (a, b, c) => a)
output a array = filter([1], () => true)
