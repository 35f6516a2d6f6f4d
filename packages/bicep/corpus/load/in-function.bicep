func note() string => loadTextContent('in-function/note.txt')
func limit() int => loadJsonContent('in-function/limits.json').max
output note string = note()
output limit int = limit()
