type address = { street: string, city: string }
type person = {
  name: string
  home: address
  work: address?
}
type people = person[]
param given people
output first person = given[0]
