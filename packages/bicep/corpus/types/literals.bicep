type word = 'word'
type number = 42
type negative = -1
type yes = true
type no = !true
param given word
output given word = given
