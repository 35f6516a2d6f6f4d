var script = loadTextContent('text/script.sh')
var path = 'text/script.sh'
output direct string = loadTextContent('text/note.txt')
output viaVariable string = loadTextContent(path)
output inText string = 'note: ${loadTextContent('text/note.txt', 'utf-8')}'
output script string = script
