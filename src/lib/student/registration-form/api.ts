import { NoInput, procedureForRoles } from '#lib/core/http/api/procedure.ts'
import { StudentInput } from '../schema.ts'
import { RegistrationFormSaved, RegistrationFormView, StudentRegistrationView } from './output-schema.ts'
import { getRegistrationForm, getStudentRegistration, saveRegistrationForm } from './registration-form.ts'
import { SaveRegistrationForm } from './schema.ts'

const administrator = procedureForRoles('OWNER', 'DIRECTOR')

/** Procedures of the registration form of students. */
export const registrationFormCalls = {
  getRegistrationForm: administrator
    .route({ summary: 'Returns what the school asks students who register' })
    .input(NoInput)
    .output(RegistrationFormView)
    .handler(({ context }) => getRegistrationForm(context.actor)),
  saveRegistrationForm: administrator
    .route({ summary: 'Changes what the school asks students who register, and whether links let them join' })
    .input(SaveRegistrationForm)
    .output(RegistrationFormSaved)
    .handler(({ input, context }) => saveRegistrationForm(context.actor, input)),
  getStudentRegistration: administrator
    .route({ summary: 'Returns what a student answered at the registration and agreed to' })
    .input(StudentInput)
    .output(StudentRegistrationView)
    .handler(({ input, context }) => getStudentRegistration(context.actor, input)),
}
