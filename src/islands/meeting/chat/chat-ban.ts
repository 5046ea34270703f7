import { atom } from 'nanostores'
import { notify } from '#islands/stores/notice.ts'
import type { Say } from '#lib/core/shared/text/strings.ts'
import { act } from '../room.ts'
import { failWith } from '../stage/stage-fail.ts'

/** Whom the staff are about to ban. */
export const $banning = atom<{ personId: string; name: string } | null>(null)
/** Rises with each ban and its end: lists of people are read anew. */
export const $bans = atom(0)

const UNDO_MS = 10_000

/** Bans somebody, and offers to take it back. */
export async function ban(person: { personId: string; name: string }, reason: string, say: Say): Promise<void> {
  const { personId, name } = person
  await act.banPerson({ personId, on: true, reason })
  $bans.set($bans.get() + 1)
  const action = { label: say('meeting:ban.undo'), run: () => void unban(personId).catch(failWith) }
  notify('success', say('meeting:ban.done', { name }), { action, lasts: UNDO_MS })
}

/** Lets somebody who was banned in again. */
export async function unban(personId: string): Promise<void> {
  await act.banPerson({ personId, on: false })
  $bans.set($bans.get() + 1)
}
