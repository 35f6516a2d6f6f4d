import { config, note } from 'loaded-files/shared.bicep'
output host string = config.host
output note string = note
