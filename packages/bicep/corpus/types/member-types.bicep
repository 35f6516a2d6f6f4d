type shop = {
  name: string
  address: { city: string, zip: [int, string] }
  tags: { *: string }
  owners: { mail: string }[]
}
type city = shop.address.city
type zipText = shop.address.zip[1]
type tag = shop.tags.*
type owner = shop.owners[*]
type mail = shop.owners[*].mail
param values [city, zipText, tag, owner, mail]
output values array = values
