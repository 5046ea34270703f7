import { procedureForRoles } from '#lib/core/http/api/procedure.ts'
import { CourseId } from '../schema.ts'
import { changeAccess, previewAccess, undoAccess } from './change-access.ts'
import { explainAccess, listGrants } from './explain-access.ts'
import {
  addToGroup,
  archiveGroup,
  createGroup,
  listGroups,
  removeFromGroup,
  restoreGroup,
  updateGroup,
} from './group.ts'
import { getMatrix } from './matrix.ts'
import * as schema from './schema.ts'

const staff = procedureForRoles('OWNER', 'DIRECTOR', 'EXPERT', 'CURATOR')

/** Procedures that read, explain and change the access of students. */
export const accessCalls = {
  getMatrix: staff.input(schema.GetMatrix).handler(({ input, context }) => getMatrix(context.actor, input)),
  getAccessExplanation: staff
    .input(schema.ExplainAccess)
    .handler(({ input, context }) => explainAccess(context.actor, input)),
  listGrants: staff.input(schema.StudentInCourse).handler(({ input, context }) => listGrants(context.actor, input)),
  listGroups: staff.input(CourseId).handler(({ input, context }) => listGroups(context.actor, input)),
  createGroup: staff.input(schema.CreateGroup).handler(({ input, context }) => createGroup(context.actor, input)),
  updateGroup: staff.input(schema.UpdateGroup).handler(({ input, context }) => updateGroup(context.actor, input)),
  archiveGroup: staff.input(schema.GroupId).handler(({ input, context }) => archiveGroup(context.actor, input)),
  restoreGroup: staff.input(schema.GroupId).handler(({ input, context }) => restoreGroup(context.actor, input)),
  addToGroup: staff.input(schema.GroupMember).handler(({ input, context }) => addToGroup(context.actor, input)),
  removeFromGroup: staff
    .input(schema.GroupMember)
    .handler(({ input, context }) => removeFromGroup(context.actor, input)),
  previewAccess: staff.input(schema.ChangeAccess).handler(({ input, context }) => previewAccess(context.actor, input)),
  changeAccess: staff.input(schema.ChangeAccess).handler(({ input, context }) => changeAccess(context.actor, input)),
  undoAccess: staff.input(schema.ChangeId).handler(({ input, context }) => undoAccess(context.actor, input)),
}
