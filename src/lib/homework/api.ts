import { reviewProcedures } from './review/api.ts'
import { submissionProcedures } from './submission/api.ts'
import { taskProcedures } from './task/api.ts'

/** The API procedures of homework. */
export const homeworkProcedures = { ...taskProcedures, ...submissionProcedures, ...reviewProcedures }
