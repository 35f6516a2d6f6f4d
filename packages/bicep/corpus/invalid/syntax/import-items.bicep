import {5} from 'import-items/a.bicep'
import * as
