import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { TimelineMark } from '#lib/statistics/statistics.ts'

/** Label of a mark in the chart. */
export function formatMark(t: Translate, { type, label }: TimelineMark): string {
  switch (type) {
    case 'presentation.change':
      return t('statistics:mark.presentation_change', { label: formatMode(t, label) })
    case 'slide.change':
      return t('statistics:mark.slide_change', { label })
    case 'button.show':
      return t('statistics:mark.button_show', { label })
    case 'handout.show':
      return t('statistics:mark.handout_show', { label })
    case 'poll.open':
      return t('statistics:mark.poll_open', { label })
    case 'webinar.start':
      return t('statistics:mark.webinar_start')
    case 'webinar.finish':
      return t('statistics:mark.webinar_finish')
    case 'button.hide':
      return t('statistics:mark.button_hide')
    case 'poll.close':
      return t('statistics:mark.poll_close')
    case 'host.lost':
      return t('statistics:mark.host_lost')
    case 'host.back':
      return t('statistics:mark.host_back')
    default:
      return ''
  }
}

function formatMode(t: Translate, mode: string): string {
  switch (mode) {
    case 'presentation':
    case 'preview':
    case 'broadcast':
    case 'presentationAndBroadcast':
      return t(`statistics:mode.${mode}`)
    default:
      return mode
  }
}
