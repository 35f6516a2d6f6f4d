import { prefixes } from 'br/own:network:v1'
import * as network from 'br:registry.example.org/modules/network:v1'
output prefixes array = concat(prefixes, network.prefixes)
