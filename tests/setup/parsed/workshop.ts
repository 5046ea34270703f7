import { listWorkshops as domainListWorkshops } from '#lib/workshop/list.ts'
import { CancelWorkshop, CreateWorkshop, ListWorkshops, SaveWorkshop } from '#lib/workshop/schema.ts'
import { createWorkshop as domainCreateWorkshop } from '#lib/workshop/settings/create.ts'
import { cancelWorkshop as domainCancelWorkshop } from '#lib/workshop/settings/end.ts'
import { saveWorkshop as domainSaveWorkshop } from '#lib/workshop/settings/save.ts'
import { parsed } from './parsed.ts'

export const createWorkshop = parsed(CreateWorkshop, domainCreateWorkshop)
export const cancelWorkshop = parsed(CancelWorkshop, domainCancelWorkshop)
export const listWorkshops = parsed(ListWorkshops, domainListWorkshops)
export const saveWorkshop = parsed(SaveWorkshop, domainSaveWorkshop)
