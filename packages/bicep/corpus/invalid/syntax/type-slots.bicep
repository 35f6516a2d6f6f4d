type
type a
type b =
type c = {d}
type e = {5: string}
type f = [string
