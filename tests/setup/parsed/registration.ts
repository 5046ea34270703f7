import { editOwnRegistration as domainEditOwnRegistration } from '#lib/registration/own-registration.ts'
import {
  addRegistration as domainAddRegistration,
  importRegistrations as domainImportRegistrations,
} from '#lib/registration/registrants/import.ts'
import { listRegistrations as domainListRegistrations } from '#lib/registration/registrants/registrants.ts'
import { registerForEvent as domainRegisterForEvent } from '#lib/registration/registration.ts'
import {
  AddRegistration,
  EditOwnRegistration,
  ImportRegistrations,
  ListRegistrations,
  RegisterForEvent,
} from '#lib/registration/schema.ts'
import { parsed } from './parsed.ts'

export const registerForEvent = parsed(RegisterForEvent, domainRegisterForEvent)
export const listRegistrations = parsed(ListRegistrations, domainListRegistrations)
export const importRegistrations = parsed(ImportRegistrations, domainImportRegistrations)
export const addRegistration = parsed(AddRegistration, domainAddRegistration)
export const editOwnRegistration = parsed(EditOwnRegistration, domainEditOwnRegistration)
