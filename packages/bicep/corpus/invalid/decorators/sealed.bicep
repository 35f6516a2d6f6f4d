@sealed()
type a = { *: string }
