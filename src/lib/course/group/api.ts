import { procedureForRoles } from '#lib/core/http/api/procedure.ts'
import { AccessPreview } from '../access/output-schema.ts'
import { CourseId } from '../schema.ts'
import { announceToGroup, recallAnnouncement } from './announce.ts'
import { copyGroup } from './copy.ts'
import { archiveGroup, createGroup, finishGroup, listGroups, reopenGroup, restoreGroup, updateGroup } from './group.ts'
import { getGroup, listAllGroups } from './list.ts'
import { addToGroup, changeMembers, findCandidates, listMembers, previewMembers, removeFromGroup } from './members.ts'
import * as output from './output-schema.ts'
import * as schema from './schema.ts'

const staff = procedureForRoles('OWNER', 'DIRECTOR', 'EXPERT', 'CURATOR')

/** Procedures of study groups. */
export const groupCalls = {
  listGroups: staff
    .route({ summary: 'Returns study groups of a course, by start, latest first' })
    .input(CourseId)
    .output(output.ListGroupsOutput)
    .handler(({ input, context }) => listGroups(context.actor, input)),
  listAllGroups: staff
    .route({ summary: 'Returns a page of the study groups that the actor may see, by start, latest first' })
    .input(schema.ListAllGroups)
    .output(output.GroupPage)
    .handler(({ input, context }) => listAllGroups(context.actor, input)),
  getGroup: staff
    .route({ summary: 'Returns a study group with its course and curators' })
    .input(schema.GroupId)
    .output(output.GroupDetails)
    .handler(({ input, context }) => getGroup(context.actor, input)),
  createGroup: staff
    .route({ summary: 'Creates a study group' })
    .input(schema.CreateGroup)
    .output(output.GroupOutput)
    .handler(({ input, context }) => createGroup(context.actor, input)),
  updateGroup: staff
    .route({ summary: 'Changes a study group; the access of its members follows' })
    .input(schema.UpdateGroup)
    .output(output.GroupOutput)
    .handler(({ input, context }) => updateGroup(context.actor, input)),
  finishGroup: staff
    .route({ summary: 'Finishes a study group, which takes no new students, and closes its access where asked' })
    .input(schema.FinishGroup)
    .output(output.GroupOutput)
    .handler(({ input, context }) => finishGroup(context.actor, input)),
  reopenGroup: staff
    .route({ summary: 'Takes back that a study group was finished' })
    .input(schema.GroupId)
    .output(output.GroupOutput)
    .handler(({ input, context }) => reopenGroup(context.actor, input)),
  archiveGroup: staff
    .route({ summary: 'Archives a study group' })
    .input(schema.GroupId)
    .output(output.GroupOutput)
    .handler(({ input, context }) => archiveGroup(context.actor, input)),
  restoreGroup: staff
    .route({ summary: 'Restores an archived study group' })
    .input(schema.GroupId)
    .output(output.GroupOutput)
    .handler(({ input, context }) => restoreGroup(context.actor, input)),
  copyGroup: staff
    .route({ summary: 'Copies a study group for the next cohort with its dates moved' })
    .input(schema.CopyGroup)
    .output(output.GroupOutput)
    .handler(({ input, context }) => copyGroup(context.actor, input)),
  listMembers: staff
    .route({ summary: 'Returns a page of the members of a study group with their progress, by name' })
    .input(schema.ListMembers)
    .output(output.MemberPage)
    .handler(({ input, context }) => listMembers(context.actor, input)),
  findCandidates: staff
    .route({ summary: 'Finds students who can be added to a study group' })
    .input(schema.FindCandidates)
    .output(output.GroupCandidates)
    .handler(({ input, context }) => findCandidates(context.actor, input)),
  previewMembers: staff
    .route({ summary: 'Previews what opens and closes when students join, move or leave, without applying it' })
    .input(schema.ChangeMembers)
    .output(AccessPreview)
    .handler(({ input, context }) => previewMembers(context.actor, input)),
  changeMembers: staff
    .route({ summary: 'Adds, moves or removes students of a study group' })
    .input(schema.ChangeMembers)
    .output(output.MembersChanged)
    .handler(({ input, context }) => changeMembers(context.actor, input)),
  addToGroup: staff
    .route({ summary: 'Adds a student to a group by a grant whose source is the group' })
    .input(schema.GroupMember)
    .output(output.MembersChanged)
    .handler(({ input, context }) => addToGroup(context.actor, input)),
  removeFromGroup: staff
    .route({ summary: "Revokes the group's grant of a student" })
    .input(schema.GroupMember)
    .output(output.MembersChanged)
    .handler(({ input, context }) => removeFromGroup(context.actor, input)),
  announceToGroup: staff
    .route({ summary: 'Emails all members of a study group; the emails can be recalled for 60 seconds' })
    .input(schema.AnnounceToGroup)
    .output(output.CreatedAnnouncement)
    .handler(({ input, context }) => announceToGroup(context.actor, input)),
  recallAnnouncement: staff
    .route({ summary: 'Recalls the emails of an announcement that have not left yet' })
    .input(schema.AnnouncementId)
    .output(output.RecalledAnnouncement)
    .handler(({ input, context }) => recallAnnouncement(context.actor, input)),
}
