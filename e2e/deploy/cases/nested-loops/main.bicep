extension radius

var regions = ['north', 'south']
var tiers = ['web', 'data']
var pairs = flatten(map(regions, region => map(tiers, tier => { region: region, tier: tier })))

resource cells 'Radius.Test/widgets@2025-01-01' = [
  for pair in pairs: {
    name: '${pair.region}-${pair.tier}'
    properties: {
      title: '${pair.tier} in ${pair.region}'
      labels: toObject(tiers, tier => tier, tier => tier == pair.tier ? 'here' : 'elsewhere')
      settings: {
        rules: [
          for port in [80, 443]: {
            port: port
            allowed: pair.tier == 'web'
          }
        ]
      }
    }
  }
]

output grid object = toObject(pairs, pair => '${pair.region}/${pair.tier}', pair => pair.region)
output names array = [for (pair, index) in pairs: cells[index].name]
