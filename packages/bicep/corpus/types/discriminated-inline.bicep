@discriminator('type')
param source { type: 'git', url: string } | { type: 'file', path: string }
@discriminator('type')
output source { type: 'git', url: string } | { type: 'file', path: string } = source
