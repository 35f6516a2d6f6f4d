extension radius

param tags object = {
  team: 'checkout'
  costCentre: '4711'
}

resource tagged 'Radius.Test/widgets@2025-01-01' = {
  name: 'tagged'
  location: 'global'
  tags: union(tags, { tier: 'gold' })
  properties: {
    title: 'tagged'
  }
}

output tier string = tagged.tags.tier
