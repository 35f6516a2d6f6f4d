param note string
output own string = loadTextContent('note.txt')
output given string = note
