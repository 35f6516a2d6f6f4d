import { lonely } from 'odd-templates/odd.json'
output lonely object = lonely
