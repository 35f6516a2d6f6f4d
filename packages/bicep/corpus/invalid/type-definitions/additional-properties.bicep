type a = {
  *: string
  *: int
}
param p string
type b = { '${p}': string }
