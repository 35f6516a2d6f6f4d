import
import foo from 'x.bicep'
import 5 from 'x.bicep'
import {a}
import {'a'} from 'x.bicep'
import * foo
