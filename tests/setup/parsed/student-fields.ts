import { addField as domainAddField, changeField as domainChangeField } from '#lib/student/fields/fields.ts'
import { AddField, ChangeField } from '#lib/student/fields/schema.ts'
import { parsed } from './parsed.ts'

export const addField = parsed(AddField, domainAddField)
export const changeField = parsed(ChangeField, domainChangeField)
