module part 'in-module/part.bicep' = {
  name: 'part'
  params: { note: loadTextContent('in-module/note.txt') }
}
