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
import {
  AccessExplanation,
  AccessPreview,
  AddToGroupOutput,
  ArchiveGroupOutput,
  ChangeAccessOutput,
  CreateGroupOutput,
  GetMatrixOutput,
  ListGrantsOutput,
  ListGroupsOutput,
  RemoveFromGroupOutput,
  RestoreGroupOutput,
  UndoAccessOutput,
  UpdateGroupOutput,
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
  listGroups: staff
    .route({ summary: 'Returns study groups of a course, by start, latest first' })
    .input(CourseId)
    .output(ListGroupsOutput)
    .handler(({ input, context }) => listGroups(context.actor, input)),
  createGroup: staff
    .route({ summary: 'Creates a study group' })
    .input(schema.CreateGroup)
    .output(CreateGroupOutput)
    .handler(({ input, context }) => createGroup(context.actor, input)),
  updateGroup: staff
    .route({ summary: 'Changes the name and dates of a group' })
    .input(schema.UpdateGroup)
    .output(UpdateGroupOutput)
    .handler(({ input, context }) => updateGroup(context.actor, input)),
  archiveGroup: staff
    .route({ summary: 'Archives a group' })
    .input(schema.GroupId)
    .output(ArchiveGroupOutput)
    .handler(({ input, context }) => archiveGroup(context.actor, input)),
  restoreGroup: staff
    .route({ summary: 'Restores an archived group' })
    .input(schema.GroupId)
    .output(RestoreGroupOutput)
    .handler(({ input, context }) => restoreGroup(context.actor, input)),
  addToGroup: staff
    .route({ summary: 'Adds a student to a group by a grant whose source is the group' })
    .input(schema.GroupMember)
    .output(AddToGroupOutput)
    .handler(({ input, context }) => addToGroup(context.actor, input)),
  removeFromGroup: staff
    .route({ summary: "Revokes the group's grant of a student" })
    .input(schema.GroupMember)
    .output(RemoveFromGroupOutput)
    .handler(({ input, context }) => removeFromGroup(context.actor, input)),
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
