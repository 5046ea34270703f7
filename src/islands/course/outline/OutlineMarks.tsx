import { CalendarClock, EyeOff, Gift, Lock, type LucideIcon, NotebookPen } from 'lucide-react'
import { ruleWords } from '#islands/rule/rule-words.ts'
import type { OutlineLesson, OutlineModule } from '#lib/course/outline/schema.ts'
import type { OutlineWords } from './outline-view.ts'

interface Props {
  of: OutlineLesson | OutlineModule
  words: OutlineWords
}

/** What is out of the ordinary about a lesson or module: nothing is drawn for the rest. */
export function OutlineMarks({ of, words: { say, zone, locale } }: Props) {
  const { availability, hidden } = of
  const lesson = 'state' in of ? of : null
  const opens =
    availability.mode === 'open'
      ? null
      : say('outline:mark.opens', { when: ruleWords(availability, say, zone, locale) })
  const marks: [boolean, LucideIcon, string][] = [
    [hidden, EyeOff, say('outline:mark.hidden')],
    [opens !== null, availability.mode === 'manual' ? Lock : CalendarClock, opens ?? ''],
    [Boolean(lesson?.taskCount), NotebookPen, say('outline:mark.task')],
    [Boolean(lesson?.freePreview), Gift, say('outline:mark.free')],
  ]
  const shown = marks.filter(([is]) => is)
  const state = lesson && lesson.state !== 'published' ? lesson.state : null
  if (shown.length === 0 && !state) return null
  return (
    <span className="outline-marks">
      {shown.map(([, Icon, words]) => (
        <span key={words} title={words}>
          <Icon size={15} strokeWidth={1.75} aria-hidden="true" />
          <span className="sr-only">{words}</span>
        </span>
      ))}
      {state && <span className="badge badge-outline badge-xs shrink-0">{say(`outline:state.${state}`)}</span>}
    </span>
  )
}
