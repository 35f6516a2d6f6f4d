type tier = 'premium' | 'basic' | 'standard'
type numbers = 10 | -10 | 2
type repeated = 'b' | 'a' | 'b'
type optional = 'x' | null
type leading =
  | 'one'
  | 'two'
type extended = tier | 'free'
param given tier = 'basic'
output given tier = given
