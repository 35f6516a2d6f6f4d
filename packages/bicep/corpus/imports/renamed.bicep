import { 'odd-name' as odd, point as place } from 'renamed/exports.json'
param at place
output odd string = odd
output x int = at.x
