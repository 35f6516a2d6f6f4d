param sub string
var logical = toLogicalZones(sub, 'west', ['1', '2'])
output all array = [
  toLogicalZone(sub, 'west', '1')
  logical
  toPhysicalZone(sub, 'west', '1')
  toPhysicalZones(sub, 'west', ['1'])
  roleDefinitions('Reader').id
]
