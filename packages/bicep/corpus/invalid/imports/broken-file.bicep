import { a } from 'broken-file/broken.bicep'
