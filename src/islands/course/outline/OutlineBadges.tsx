import { CalendarClock, EyeOff, Gift, Lock, type LucideIcon, NotebookPen } from 'lucide-react'
import { formatRule } from '#islands/rule/rule-text.ts'
import type { OutlineLesson, OutlineModule } from '#lib/course/outline/schema.ts'
import type { OutlineContext } from './outline-view.ts'

interface Props {
  item: OutlineLesson | OutlineModule
  context: OutlineContext
}

/** Badges of a lesson or module that differs from the defaults. */
export function OutlineBadges({ item, context: { t, zone, locale } }: Props) {
  const { availability, hidden } = item
  const lesson = 'state' in item ? item : null
  const opens =
    availability.mode === 'open' ? null : t('outline:mark.opens', { when: formatRule(availability, t, zone, locale) })
  const marks: [boolean, LucideIcon, string][] = [
    [hidden, EyeOff, t('outline:mark.hidden')],
    [opens !== null, availability.mode === 'manual' ? Lock : CalendarClock, opens ?? ''],
    [Boolean(lesson?.taskCount), NotebookPen, t('outline:mark.task')],
    [Boolean(lesson?.freePreview), Gift, t('outline:mark.free')],
  ]
  const shown = marks.filter(([isShown]) => isShown)
  const state = lesson && lesson.state !== 'published' ? lesson.state : null
  if (shown.length === 0 && !state) return null
  return (
    <span className="outline-marks">
      {shown.map(([, Icon, label]) => (
        <span key={label} title={label}>
          <Icon size={15} strokeWidth={1.75} aria-hidden="true" />
          <span className="sr-only">{label}</span>
        </span>
      ))}
      {state && <span className="badge badge-outline badge-xs shrink-0">{t(`outline:state.${state}`)}</span>}
    </span>
  )
}
