type a = string[
type b = string[]]
type c = (string, int)
type d = {
  e: 
}
type f = resourceInput<'Contoso.Data/caches@2024-03-01',>.name
