output all array = [
  loadTextContent('many/0.txt')
  loadTextContent('many/1.txt')
  loadJsonContent('many/2.json')
  loadTextContent('many/0.txt')
  loadTextContent('many/1.txt')
  loadTextContent('many/0.txt')
  loadTextContent('many/1.txt')
  loadTextContent('many/0.txt')
  loadTextContent('many/1.txt')
  loadTextContent('many/0.txt')
  loadTextContent('many/1.txt')
]
