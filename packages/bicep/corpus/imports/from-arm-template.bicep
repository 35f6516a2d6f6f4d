import { tree, shout, many, settings } from 'from-arm-template/exports.json'
import * as all from 'from-arm-template/exports.json'
param root tree
output text string = shout('hi')
output again string = all.shout('ho')
output many array = many
output settings object = settings
output leaf all.leaf = root.leaf
