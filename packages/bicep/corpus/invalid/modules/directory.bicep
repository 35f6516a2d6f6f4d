module a 'directory' = {
  name: 'a'
}
