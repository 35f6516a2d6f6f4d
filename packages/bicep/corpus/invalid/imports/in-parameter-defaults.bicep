import { palette, shout as loud, tone } from 'in-parameter-defaults/colors.bicep'
import * as colors from 'in-parameter-defaults/colors.bicep'

// Imported variables are variables of this template, and the defaults of parameters cannot read those.
param first string = palette[0]
param all array = [palette]
param wild string = colors.palette[1]

// Types and functions are fine.
param called string = loud('red')
param alsoCalled string = colors.shout('blue')
param typed tone = 'dark'
