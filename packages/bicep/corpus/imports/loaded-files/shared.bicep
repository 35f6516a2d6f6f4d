@export()
var config = loadJsonContent('config.json')
@export()
var note = loadTextContent('note.txt')
