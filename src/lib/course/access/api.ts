import { forRoles } from '#lib/core/http/api/procedure.ts'
import * as door from '../course.ts'
import { CourseId } from '../schema.ts'
import * as ask from './schema.ts'

const staff = forRoles('OWNER', 'DIRECTOR', 'EXPERT', 'CURATOR')

/** Access of students: who learns what and when, why, and changing it. */
export const accessCalls = {
  getMatrix: staff.input(ask.AskMatrix).handler(({ input, context }) => door.getMatrix(context.actor, input)),
  getWhy: staff.input(ask.AskWhy).handler(({ input, context }) => door.getWhy(context.actor, input)),
  listGrants: staff.input(ask.StudentInCourse).handler(({ input, context }) => door.listGrants(context.actor, input)),
  listGroups: staff.input(CourseId).handler(({ input, context }) => door.listGroups(context.actor, input)),
  createGroup: staff.input(ask.CreateGroup).handler(({ input, context }) => door.createGroup(context.actor, input)),
  updateGroup: staff.input(ask.UpdateGroup).handler(({ input, context }) => door.updateGroup(context.actor, input)),
  archiveGroup: staff.input(ask.GroupId).handler(({ input, context }) => door.archiveGroup(context.actor, input)),
  restoreGroup: staff.input(ask.GroupId).handler(({ input, context }) => door.restoreGroup(context.actor, input)),
  addToGroup: staff.input(ask.GroupMember).handler(({ input, context }) => door.addToGroup(context.actor, input)),
  removeFromGroup: staff
    .input(ask.GroupMember)
    .handler(({ input, context }) => door.removeFromGroup(context.actor, input)),
  previewAccess: staff.input(ask.AskAccess).handler(({ input, context }) => door.previewAccess(context.actor, input)),
  changeAccess: staff.input(ask.AskAccess).handler(({ input, context }) => door.changeAccess(context.actor, input)),
  undoAccess: staff.input(ask.ChangeId).handler(({ input, context }) => door.undoAccess(context.actor, input)),
}
