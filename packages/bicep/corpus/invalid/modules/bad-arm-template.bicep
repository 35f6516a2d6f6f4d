module a 'bad-arm-template/bad.json' = {
  name: 'a'
}
