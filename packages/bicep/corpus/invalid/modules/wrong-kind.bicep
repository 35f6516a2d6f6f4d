module a 'wrong-kind/values.bicepparam' = {
  name: 'a'
}
