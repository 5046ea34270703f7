import { atom } from 'nanostores'
import { showNotice, UNDO_NOTICE_MS } from '#islands/stores/notice.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { roomApi } from '../room.ts'
import { showError } from '../stage/show-error.ts'

/** The participant in the dialog that asks for the reason of a ban. */
export const $banTarget = atom<{ personId: string; name: string } | null>(null)
/** Grows with each ban and each end of a ban, so that lists of participants are loaded again. */
export const $banRevision = atom(0)

/** Bans a participant and shows a notice with an undo button. */
export async function banParticipant(
  participant: { personId: string; name: string },
  reason: string,
  t: Translate,
): Promise<void> {
  const { personId, name } = participant
  await roomApi.banPerson({ personId, on: true, reason })
  $banRevision.set($banRevision.get() + 1)
  const action = { label: t('meeting:ban.undo'), run: () => void unbanParticipant(personId).catch(showError) }
  showNotice('success', t('meeting:ban.done', { name }), { action, durationMs: UNDO_NOTICE_MS })
}

/** Ends the ban of a participant. */
export async function unbanParticipant(personId: string): Promise<void> {
  await roomApi.banPerson({ personId, on: false })
  $banRevision.set($banRevision.get() + 1)
}
