module sub 'arm-template-scopes/subscription.json' = {
  name: 'sub'
  scope: subscription()
}
