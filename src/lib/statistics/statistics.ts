export { rollSession } from './roll.ts'
