import { mountIsland } from '#islands/mount/mount.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import { messageDraftKey, saveMessageDraft } from './message-draft.ts'
import { loadSubmissionStrings } from './submission/submission-props.ts'
import { Thread, type ThreadProps } from './Thread.tsx'

type ThreadIslandProps = Pick<ThreadProps, 'taskId' | 'owner' | 'timeZone' | 'messages'>

/** Loads the message thread of a lesson page, ready to replace the plain HTML. */
export async function mountThread(
  props: ThreadIslandProps,
  locale: Locale,
): Promise<(place: HTMLElement) => () => void> {
  const t = await loadSubmissionStrings(locale)
  return (place) => {
    // Text typed into the plain field before hydration is kept.
    const field = place.querySelector('textarea')
    const cursor = field && document.activeElement === field ? field.selectionStart : null
    if (field?.value) saveMessageDraft(messageDraftKey(props.owner, props.taskId), field.value)
    const thread = <Thread {...props} locale={locale} t={t} />
    const { unmount } = mountIsland(place, 'thread', thread, { isSync: true })
    const fresh = place.querySelector('textarea')
    if (cursor !== null && fresh) {
      fresh.focus()
      fresh.setSelectionRange(cursor, cursor)
    }
    return unmount
  }
}
