import type { Actor } from '#lib/core/shared/actor.ts'
import { parseJson } from '#lib/core/shared/text/json.ts'
import { answerItem, answerItems } from '#lib/inbox/answer.ts'
import { assignItems, closeItems, reopenItems, snoozeItems } from '#lib/inbox/organize.ts'
import type { ChangedItems } from '#lib/inbox/output-schema.ts'
import {
  AnswerItem,
  AnswerItems,
  AssignItems,
  CloseItems,
  ReopenItems,
  SnoozeItems,
  UpdateInboxSettings,
} from '#lib/inbox/schema.ts'
import { updateInboxSettings } from '#lib/inbox/settings.ts'
import { type FormActions, formText } from '../_request/form-actions.ts'
import { inboxHref, type ShownInbox } from './_inbox-href.ts'

/** The forms of the inbox; each works without scripts. After them the next item or the list is shown. */
export function inboxActions(actor: Actor, shown: ShownInbox): FormActions {
  const after = (saved: string, { changed, skipped }: ChangedItems, more: Record<string, string> = {}) =>
    inboxHref(shown, { saved, count: String(changed), ...(skipped > 0 && { skipped: String(skipped) }), ...more })
  const items = (form: FormData) => form.getAll('items').map(String)
  return {
    async answer(form) {
      const input = AnswerItem.parse(Object.fromEntries(form))
      await answerItem(actor, input)
      const next = formText(form, 'next')
      return inboxHref(shown, { saved: 'answered', sent: input.item, ...(next && { item: next }) })
    },
    async answerItems(form) {
      const input = AnswerItems.parse({ items: items(form), batchId: form.get('batchId'), body: form.get('body') })
      const { sent, skipped } = await answerItems(actor, input)
      return after('sent', { changed: sent, skipped })
    },
    async assign(form) {
      const memberId = formText(form, 'memberId')
      return after(
        'assigned',
        await assignItems(actor, AssignItems.parse({ items: items(form), memberId: memberId || null })),
      )
    },
    async snooze(form) {
      const input = SnoozeItems.parse({ items: items(form), until: form.get('until') })
      return after(input.until === 'end' ? 'woken' : 'snoozed', await snoozeItems(actor, input))
    },
    async close(form) {
      const { closed, ...counts } = await closeItems(actor, CloseItems.parse({ items: items(form) }))
      return after('closed', counts, { closed: JSON.stringify(closed.slice(0, MAX_UNDONE_ITEMS)) })
    },
    async reopen(form) {
      await reopenItems(actor, ReopenItems.parse({ closed: parseJson(formText(form, 'closed')) }))
      return inboxHref(shown, { saved: 'reopened' })
    },
    async saveSettings(form) {
      await updateInboxSettings(actor, UpdateInboxSettings.parse(Object.fromEntries(form)))
      return '/inbox?saved=settings'
    },
  }
}

/** The undo is in the address, which must not become too long. */
const MAX_UNDONE_ITEMS = 20
