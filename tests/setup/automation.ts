import { listAutomations as domainList, saveAutomation as domainSave } from '#lib/automation/automation.ts'
import { ListAutomations, SaveAutomation } from '#lib/automation/schema.ts'
import { parsed } from './parsed/parsed.ts'

export const listAutomations = parsed(ListAutomations, domainList)
export const saveAutomation = parsed(SaveAutomation, domainSave)
