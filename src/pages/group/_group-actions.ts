import { markAttendance } from '#lib/attendance/attendance.ts'
import { addMeeting, removeMeeting } from '#lib/attendance/meeting.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { undoAccess } from '#lib/course/access/change-access.ts'
import { announceToGroup, recallAnnouncement } from '#lib/course/group/announce.ts'
import { copyGroup } from '#lib/course/group/copy.ts'
import { archiveGroup, finishGroup, reopenGroup, restoreGroup, updateGroup } from '#lib/course/group/group.ts'
import { getGroup } from '#lib/course/group/list.ts'
import { changeMembers } from '#lib/course/group/members.ts'
import { AnnounceToGroup, ChangeMembers, CopyGroup, UpdateGroup } from '#lib/course/group/schema.ts'
import { formText } from '../_request/form-actions.ts'
import { parseId } from '../_request/id-param.ts'
import { invitationLinkActions } from '../course/_invitation-links/invitation-link-actions.ts'
import { outboxActions } from '../students/_outbox-actions.ts'
import { groupAddress } from './_group-address.ts'
import { readGroupFields } from './_group-fields.ts'

/**
 * Form actions of a group; each returns the path to show next. `base` is the URL of the group, `list` returns that of
 * another group on the same kind of page.
 */
export function groupActions(actor: Actor, groupId: string, base: string, addressOfGroup: (id: string) => string) {
  const settings = (notice: string) => groupAddress(base, { view: 'settings', notice })
  const then = async (done: Promise<unknown>, notice: string) => {
    await done
    return settings(notice)
  }
  const target = async () => ({ courseId: (await getGroup(actor, { groupId })).courseId, groupId })
  const meeting = (form: FormData) => ({ groupId, workshopId: parseId(formText(form, 'workshopId')) })
  return {
    /** The preview of an addition, move or removal; it has its own URL. */
    review: async (form: FormData) =>
      groupAddress(base, {
        step: formText(form, 'change'),
        ...(form.get('toGroupId') ? { to: formText(form, 'toGroupId') } : {}),
        id: form.getAll('studentId').map(String),
      }),
    changeMembers: async (form: FormData) => {
      const change = ChangeMembers.parse({
        action: formText(form, 'change'),
        groupId,
        toGroupId: formText(form, 'toGroupId') || undefined,
        studentIds: form.getAll('studentId'),
      })
      const { changeId } = await changeMembers(actor, change)
      return groupAddress(base, { notice: change.action, change: changeId })
    },
    undoMembers: async (form: FormData) => {
      await undoAccess(actor, { changeId: parseId(formText(form, 'changeId')) })
      return groupAddress(base, { notice: 'undone' })
    },
    updateGroup: (form: FormData) =>
      then(
        updateGroup(
          actor,
          UpdateGroup.parse({ groupId, revision: Number(formText(form, 'revision')), ...readGroupFields(form) }),
        ),
        'saved',
      ),
    finishGroup: (form: FormData) =>
      then(finishGroup(actor, { groupId, closesAccess: formText(form, 'closesAccess') === '1' }), 'finished'),
    reopenGroup: () => then(reopenGroup(actor, { groupId }), 'reopened'),
    archiveGroup: () => then(archiveGroup(actor, { groupId }), 'archived'),
    restoreGroup: () => then(restoreGroup(actor, { groupId }), 'restored'),
    copyGroup: async (form: FormData) => {
      const copy = await copyGroup(
        actor,
        CopyGroup.parse({
          groupId,
          newGroupId: parseId(formText(form, 'newGroupId')),
          name: formText(form, 'name'),
          offsetDays: Number(formText(form, 'offsetDays')),
          withMembers: form.has('withMembers'),
        }),
      )
      return groupAddress(addressOfGroup(copy.groupId), { view: 'settings', notice: 'copied' })
    },
    addMeeting: async (form: FormData) => {
      await addMeeting(actor, meeting(form))
      return groupAddress(base, { view: 'meetings', notice: 'meetingAdded' })
    },
    removeMeeting: async (form: FormData) => {
      await removeMeeting(actor, meeting(form))
      return groupAddress(base, { view: 'meetings', notice: 'meetingRemoved' })
    },
    /** One button of the attendance table: `student.meeting.value`. */
    markAttendance: async (form: FormData) => {
      const [studentId, workshopId, value] = formText(form, 'mark').split('.')
      const isPresent = value === 'present' ? true : value === 'absent' ? false : null
      await markAttendance(actor, {
        groupId,
        studentId: parseId(studentId),
        workshopId: parseId(workshopId),
        isPresent,
      })
      const cursor = formText(form, 'cursor')
      return `${groupAddress(base, { view: 'meetings', ...(cursor ? { cursor } : {}) })}#mark-${studentId}-${workshopId}`
    },
    /** Renders the page again with a preview of the email. */
    previewAnnouncement: async () => null,
    editAnnouncement: async () => null,
    announce: async (form: FormData) => {
      const announcementId = parseId(formText(form, 'announcementId'))
      await announceToGroup(
        actor,
        AnnounceToGroup.parse({
          groupId,
          announcementId,
          subject: formText(form, 'subject'),
          text: formText(form, 'text'),
        }),
      )
      return groupAddress(base, { view: 'announcements', notice: 'announced' })
    },
    ...invitationLinkActions(actor, target, (notice) => groupAddress(base, { view: 'links', notice })),
    ...outboxActions(
      actor,
      (messageId) => groupAddress(base, { view: 'announcements', message: messageId }),
      groupAddress(base, { view: 'announcements' }),
    ),
    recallAnnouncement: async (form: FormData) => {
      await recallAnnouncement(actor, { groupId, announcementId: parseId(formText(form, 'announcementId')) })
      return groupAddress(base, { view: 'announcements', notice: 'recalled' })
    },
  }
}

export const GROUP_NOTICES = [
  'add',
  'move',
  'remove',
  'undone',
  'saved',
  'finished',
  'reopened',
  'archived',
  'restored',
  'copied',
  'created',
  'meetingAdded',
  'meetingRemoved',
  'announced',
  'recalled',
] as const
