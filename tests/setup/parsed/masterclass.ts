import { EnterMasterclass } from '#lib/masterclass/schema.ts'
import { enterMasterclass as domainEnterMasterclass } from '#lib/masterclass/visit.ts'
import { parsed } from './parsed.ts'

export const enterMasterclass = parsed(EnterMasterclass, domainEnterMasterclass)
