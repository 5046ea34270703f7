import { procedureForRoles } from '#lib/core/http/api/procedure.ts'
import { changeAccess, previewAccess, undoAccess } from './change-access.ts'
import { explainAccess, listGrants } from './explain-access.ts'
import { getMatrix } from './matrix.ts'
import {
  AccessExplanation,
  AccessPreview,
  ChangeAccessOutput,
  GetMatrixOutput,
  ListGrantsOutput,
  UndoAccessOutput,
} from './output-schema.ts'
import * as schema from './schema.ts'

const staff = procedureForRoles('OWNER', 'DIRECTOR', 'EXPERT', 'CURATOR')

/** Procedures that read, explain and change the access of students. */
export const accessCalls = {
  getMatrix: staff
    .route({ summary: 'Returns matrix of students and lessons with access and progress, newest students first' })
    .input(schema.GetMatrix)
    .output(GetMatrixOutput)
    .handler(({ input, context }) => getMatrix(context.actor, input)),
  getAccessExplanation: staff
    .route({ summary: 'Explains why a lesson is open or closed to a student, with the functions that enforce access' })
    .input(schema.ExplainAccess)
    .output(AccessExplanation)
    .handler(({ input, context }) => explainAccess(context.actor, input)),
  listGrants: staff
    .route({
      summary: 'Returns all grants of a student in a course, including revoked ones, and the access to each lesson',
    })
    .input(schema.StudentInCourse)
    .output(ListGrantsOutput)
    .handler(({ input, context }) => listGrants(context.actor, input)),
  previewAccess: staff
    .route({ summary: 'Previews a change of access, student by student, without applying it' })
    .input(schema.ChangeAccess)
    .output(AccessPreview)
    .handler(({ input, context }) => previewAccess(context.actor, input)),
  changeAccess: staff
    .route({ summary: 'Changes the access of one or many students and stores the previous state for undoAccess' })
    .input(schema.ChangeAccess)
    .output(ChangeAccessOutput)
    .handler(({ input, context }) => changeAccess(context.actor, input)),
  undoAccess: staff
    .route({ summary: 'Undoes a change' })
    .input(schema.ChangeId)
    .output(UndoAccessOutput)
    .handler(({ input, context }) => undoAccess(context.actor, input)),
}
