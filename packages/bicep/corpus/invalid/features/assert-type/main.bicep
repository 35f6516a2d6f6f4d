param p string
assert a = p
assert b = reference('x').on
