import { z } from 'zod'
import { NoInput, NoOutput, noOutput, procedureForRoles } from '#lib/core/http/api/procedure.ts'
import { StudentId } from '../card/schema.ts'
import { addField, changeField, deleteField, listFields, restoreField } from './fields.ts'
import { AddField, ChangeField, FieldId, SaveFields, StudentField, StudentFieldValues } from './schema.ts'
import { getFieldValues, saveFieldValues } from './values.ts'

const administrator = procedureForRoles('OWNER', 'DIRECTOR')

/** Procedures of the fields that a school adds to its students, and of their values. */
export const studentFields = {
  listFields: administrator
    .route({ summary: 'Returns the fields that the school has added to its students' })
    .input(NoInput)
    .output(z.array(StudentField))
    .handler(({ context }) => listFields(context.actor)),

  addField: administrator
    .route({ summary: 'Adds a field to the students of the school' })
    .input(AddField)
    .output(FieldId)
    .handler(({ input, context }) => addField(context.actor, input)),

  changeField: administrator
    .route({ summary: 'Changes name and choices of a field' })
    .input(ChangeField)
    .output(NoOutput)
    .handler(({ input, context }) => changeField(context.actor, input).then(noOutput)),

  deleteField: administrator
    .route({ summary: 'Deletes a field; its values are kept until it is restored' })
    .input(FieldId)
    .output(NoOutput)
    .handler(({ input, context }) => deleteField(context.actor, input).then(noOutput)),

  restoreField: administrator
    .route({ summary: 'Restores a deleted field with its values' })
    .input(FieldId)
    .output(NoOutput)
    .handler(({ input, context }) => restoreField(context.actor, input).then(noOutput)),

  getFieldValues: administrator
    .route({ summary: "Returns the school's fields with the values of a student" })
    .input(StudentId)
    .output(StudentFieldValues)
    .handler(({ input, context }) => getFieldValues(context.actor, input)),

  saveFieldValues: administrator
    .route({ summary: 'Saves values of the fields of a student' })
    .input(SaveFields)
    .output(StudentFieldValues)
    .handler(({ input, context }) => saveFieldValues(context.actor, input)),
}
