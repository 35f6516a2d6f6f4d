resource server 'Contoso.Sql/servers@2024-03-01' = {
  name: 'server'

  resource database 'databases' = {
    name: 'shop'

    resource policy 'policies@2024-05-01' = {
      name: 'audit'
    }
  }

  resource firewall 'firewallRules' = {
    name: 'all'
    properties: { database: database.name }
  }
}
output policy string = server::database::policy.id
output firewall string = server::firewall.name
