func count() int => length(loadJsonContent('in-function-values/data.json').list)
func all() object => loadJsonContent('in-function-values/data.json')
func part() array => concat(loadJsonContent('in-function-values/data.json', 'list'), ['x'])
func encoded() string => '${loadFileAsBase64('in-function-values/data.json')}!'
output count int = count()
output all object = all()
output part array = part()
output encoded string = encoded()
