using 'using-twice/main.bicep'
using none
