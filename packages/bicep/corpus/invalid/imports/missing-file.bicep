import { a } from 'nowhere.bicep'
import * as b from 'also-nowhere.bicep'
