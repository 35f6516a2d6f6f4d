metadata description = 'Deploys a shop.'
metadata owners = ['ops', 'shop']
metadata details = { stage: 1, 'odd-key': true }
output done bool = true
