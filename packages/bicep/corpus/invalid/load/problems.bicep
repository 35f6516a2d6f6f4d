param p string
var a = loadTextContent(p)
var b = loadTextContent('missing.txt')
var c = loadTextContent('problems')
var d = loadJsonContent('problems/bad.txt')
var e = loadJsonContent('problems/good.json', 'nothing')
var f = loadTextContent('problems/bad.txt', 'ebcdic')
var g = loadTextContent('')
