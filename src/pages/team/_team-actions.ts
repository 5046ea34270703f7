import type { AstroGlobal } from 'astro'
import { z } from 'zod'
import { readForm } from '#lib/core/http/form.ts'
import { withIsoDays } from '#lib/core/http/form-date.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { cancelTeamInvitation, inviteMember, resendTeamInvitation } from '#lib/team/invite.ts'
import { blockMember, changeMember, unblockMember } from '#lib/team/member.ts'
import { cancelTransfer, requestTransfer } from '#lib/team/ownership.ts'
import { removeMember } from '#lib/team/removal.ts'
import * as schema from '#lib/team/schema.ts'
import { addVacation, cancelVacation } from '#lib/team/vacation.ts'
import { teamAssignments } from '#lib/team-assignments.ts'
import { attemptForm, findAction, type RefusedForm } from '../_request/form-outcome.ts'
import { type SettingsSaved, settingsForms } from './_settings-actions.ts'

type Page = Pick<AstroGlobal, 'request' | 'locals'>

export const SAVED = [
  'invited',
  'resent',
  'canceled',
  'changed',
  'blocked',
  'unblocked',
  'removed',
  'vacation',
  'vacationCanceled',
  'transfer',
  'transferCanceled',
] as const
export type SavedNotice = (typeof SAVED)[number]

export interface TeamFormResult {
  intent: string
  /** Identifies the saved part; the page is then rendered again. */
  saved: SavedNotice | SettingsSaved | null
  refused: RefusedForm | null
  /** The selected values of fields with several values. */
  selected: Record<string, string[]>
  /** The custom field of the form. */
  fieldId: string
}

const LISTS = ['roles', 'courseIds', 'workshopIds'] as const

/** Runs the posted form of the team page, by its field `intent`; null for a GET request. */
export async function runTeamForm(page: Page, actor: Actor): Promise<TeamFormResult | null> {
  if (page.request.method !== 'POST') return null
  const form = await readForm(page.request)
  const selected = Object.fromEntries(LISTS.map((name) => [name, form.getAll(name).map(String)]))
  const single = Object.fromEntries(
    [...form].filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
  const input = { ...withIsoDays(single, ['firstDay', 'lastDay'], actor.tenantTimeZone), ...selected }
  const intent = single.intent ?? ''
  const fieldId = encodeURIComponent(single.fieldId ?? '')
  const attempt = async <S extends z.ZodType>(
    saved: SavedNotice | SettingsSaved,
    parser: S,
    run: (parsed: z.output<S>) => Promise<unknown>,
  ): Promise<TeamFormResult> => {
    const { refused } = await attemptForm(page, parser, input, run)
    return { intent, saved: refused ? null : saved, refused, selected, fieldId }
  }
  const member = (saved: SavedNotice, run: (parsed: schema.MemberInput) => Promise<unknown>) => () =>
    attempt(saved, schema.MemberInput, run)
  const ofTeam: Record<string, () => Promise<TeamFormResult>> = {
    invite: () => attempt('invited', schema.InviteMember, (parsed) => inviteMember(actor, parsed, teamAssignments)),
    resend: member('resent', (parsed) => resendTeamInvitation(actor, parsed)),
    cancelInvitation: member('canceled', (parsed) => cancelTeamInvitation(actor, parsed, teamAssignments)),
    change: () => attempt('changed', schema.ChangeMember, (parsed) => changeMember(actor, parsed)),
    block: member('blocked', (parsed) => blockMember(actor, parsed)),
    unblock: member('unblocked', (parsed) => unblockMember(actor, parsed)),
    remove: () => attempt('removed', schema.RemoveMember, (parsed) => removeMember(actor, parsed, teamAssignments)),
    addVacation: () => attempt('vacation', schema.AddVacation, (parsed) => addVacation(actor, parsed)),
    cancelVacation: () => attempt('vacationCanceled', schema.VacationInput, (parsed) => cancelVacation(actor, parsed)),
    transfer: () => attempt('transfer', schema.RequestTransfer, (parsed) => requestTransfer(actor, parsed)),
    cancelTransfer: () => attempt('transferCanceled', NoFields, () => cancelTransfer(actor)),
  }
  if (Object.hasOwn(ofTeam, intent)) return findAction(ofTeam, intent)()
  const { saved, schema: parser, run } = findAction(settingsForms(actor, form), intent)
  return attempt(saved, parser, run)
}

const NoFields = z.object({})
