type pair = [string, int]
type a = pair[-1]
