param teams array
output members array = flatten(map(teams, team => map(team.members, member => {
  team: team.name
  member: member
})))
output shadowed array = map(teams, x => map(x, x => x.name))
