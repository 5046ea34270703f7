import { SaveWatched } from '#lib/course/learning/schema.ts'
import { saveWatched as domainSaveWatched } from '#lib/course/learning/watch.ts'
import { parsed } from './parsed.ts'

export const saveWatched = parsed(SaveWatched, domainSaveWatched)
