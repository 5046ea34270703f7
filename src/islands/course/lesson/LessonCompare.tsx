import { useMemo } from 'react'
import type { Locale } from '#lib/core/shared/locale.ts'
import type { Say } from '#lib/core/shared/text/strings.ts'
import { CompareThing } from './CompareThing.tsx'
import type { LessonText } from './lesson.ts'
import { type CompareLine, compareTexts, isSame, type Piece } from './lesson-compare.ts'

interface Props {
  before: LessonText
  after: LessonText
  locale: Locale
  say: Say
}

/** Two texts as one: what came is underlined, what went is struck through, what stayed is only counted. */
export function LessonCompare({ before, after, locale, say }: Props) {
  const lines = useMemo(() => compareTexts(before, after, locale), [before, after, locale])
  if (isSame(lines)) return <p className="text-muted text-sm">{say('editor:revision.same')}</p>
  return (
    <div className="grid gap-2 break-words text-sm">
      {lines.map((line) => (
        <Line key={line.id} line={line} say={say} />
      ))}
    </div>
  )
}

function Line({ line, say }: { line: CompareLine; say: Say }) {
  if (line.kind === 'same') {
    return <p className="text-muted text-xs">{say('editor:revision.unchanged', { count: line.count })}</p>
  }
  const look = `whitespace-pre-wrap ${line.heading ? 'font-semibold' : ''}`
  const things = line.things.map((thing) => <CompareThing key={thing.id} thing={thing} say={say} />)
  if (line.kind === 'form') {
    return (
      <>
        {(line.text || things.length === 0) && (
          <p className={look}>
            {line.text} <span className="text-muted text-xs">{say('editor:revision.form')}</span>
          </p>
        )}
        {things}
      </>
    )
  }
  return (
    <>
      {line.pieces.length > 0 && (
        <p className={look}>
          {line.pieces.map((piece) => (
            <Words key={piece.id} piece={piece} />
          ))}
        </p>
      )}
      {things}
    </>
  )
}

function Words({ piece: { text, is } }: { piece: Piece }) {
  if (is === 'added') return <ins className="rounded-xs bg-success/15 decoration-success decoration-2">{text}</ins>
  if (is === 'removed') return <del className="rounded-xs bg-error/10 decoration-error">{text}</del>
  return text
}
