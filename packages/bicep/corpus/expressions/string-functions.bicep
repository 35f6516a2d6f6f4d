param text string
output changed array = [
  toLower(text)
  toUpper(text)
  trim(text)
  replace(text, 'a', 'b')
  substring(text, 1)
  substring(text, 1, 2)
  take(text, 3)
  skip(text, 3)
  padLeft(text, 10)
  padLeft(text, 10, '0')
  concat(text, '-', text)
  format('{0:N2}', text)
  first(text)
  last(text)
]
output facts array = [
  length(text)
  empty(text)
  startsWith(text, 'a')
  endsWith(text, 'z')
  contains(text, 'm')
  indexOf(text, 'b')
  lastIndexOf(text, 'b')
  like(text, 'a*')
]
