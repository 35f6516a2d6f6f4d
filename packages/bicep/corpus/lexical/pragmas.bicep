#disable-next-line BCP081
resource quiet 'Contoso.Shop/carts@2024-01-01' = {
  name: 'quiet'
}

#disable-diagnostics BCP081 no-unused-vars
resource silent 'Contoso.Shop/carts@2024-01-01' = {
  name: 'silent'
}
#restore-diagnostics BCP081

resource loud 'Contoso.Shop/carts@2024-01-01' = {
  name: 'loud'
}
