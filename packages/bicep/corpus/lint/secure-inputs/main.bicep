extension vault
@secure()
param secret string
param open string
resource good 'Vault/secret@v1' = {
  name: 'good'
  value: secret
}
resource bad 'Vault/secret@v1' = {
  name: 'bad'
  value: open
}
resource literal 'Vault/secret@v1' = {
  name: 'literal'
  value: 'x'
}
resource empty 'Vault/secret@v1' = {
  name: 'empty'
  value: ''
}
