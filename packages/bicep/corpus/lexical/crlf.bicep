param a string
var text = '''
first
second'''
output all array = [
  a
  text
]
