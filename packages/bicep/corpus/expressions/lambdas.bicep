param people array
param limits object
output names array = map(people, person => person.name)
output adults array = filter(people, person => person.age >= 18)
output sorted array = sort(people, (a, b) => a.age < b.age)
output total int = reduce(map(people, p => p.age), 0, (sum, age) => sum + age)
output indexed array = map(people, (p, i) => '${i}: ${p.name}')
output byName object = toObject(people, p => p.name, p => p.age)
output grouped object = groupBy(people, p => p.team)
output raised object = mapValues(limits, limit => limit * 2)
