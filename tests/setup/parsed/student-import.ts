import { mapImport as domainMapImport } from '#lib/student/import/map.ts'
import { MapImport } from '#lib/student/import/schema.ts'
import { parsed } from './parsed.ts'

export const mapImport = parsed(MapImport, domainMapImport)
