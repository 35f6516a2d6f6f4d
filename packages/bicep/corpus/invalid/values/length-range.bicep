@minLength(3)
@maxLength(5)
type word = string
param a word = 'ab'
param b word = 'abcdef'
param c [string, int] = ['a']
param d [string, int] = ['a', 1, 2]
