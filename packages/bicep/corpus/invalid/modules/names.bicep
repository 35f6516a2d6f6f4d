module a 'names/part.bicep' = {
  name: ''
}
module b 'names/part.bicep' = {
  name: 'has spaces'
}
module c 'names/part.bicep' = {
  name: 'a-name-that-is-much-longer-than-the-sixty-four-characters-that-fit'
}
module d 'names/part.bicep' = {
  name: 'd'
  colour: 'red'
}
