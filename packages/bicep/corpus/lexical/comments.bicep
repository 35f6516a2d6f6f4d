// A line comment before anything else.
/* A block comment
   over two lines does not end a statement. */ param name string // after the type

var parts = [ // after a bracket
  name /* inside of an item */
  // a whole line between items
  'end' // after the last one
]

output joined string = join(parts, /* an argument follows */ '-')
