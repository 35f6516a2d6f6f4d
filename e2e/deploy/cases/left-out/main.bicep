extension radius

param withOwner bool = false
param color string?

resource owner 'Radius.Test/widgets@2025-01-01' = if (withOwner) {
  name: 'owner'
  properties: {
    title: 'owner'
  }
}

// A member that is null is one that is left out.
resource thing 'Radius.Test/widgets@2025-01-01' = {
  name: 'thing'
  properties: {
    title: owner.?properties.title ?? 'nobody\'s'
    color: color
    tags: withOwner ? ['owned'] : null
  }
}

output ownerTitle string = owner.?properties.title ?? 'none'
output ownerId string? = owner.?id
