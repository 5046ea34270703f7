import { useMemo } from 'react'
import type { Locale } from '#lib/core/shared/locale.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { CompareBlock } from './CompareBlock.tsx'
import type { LessonText } from './lesson.ts'
import { type CompareLine, compareTexts, isSame, type TextChange } from './lesson-compare.ts'

interface Props {
  before: LessonText
  after: LessonText
  locale: Locale
  t: Translate
}

/** Compares two documents: additions are underlined, removals struck through, unchanged blocks only counted. */
export function LessonCompare({ before, after, locale, t }: Props) {
  const lines = useMemo(() => compareTexts(before, after, locale), [before, after, locale])
  if (isSame(lines)) return <p className="text-muted text-sm">{t('editor:revision.same')}</p>
  return (
    <div className="grid gap-2 break-words text-sm">
      {lines.map((line) => (
        <CompareRow key={line.id} line={line} t={t} />
      ))}
    </div>
  )
}

function CompareRow({ line, t }: { line: CompareLine; t: Translate }) {
  if (line.kind === 'same') {
    return <p className="text-muted text-xs">{t('editor:revision.unchanged', { count: line.count })}</p>
  }
  const className = `whitespace-pre-wrap ${line.heading ? 'font-semibold' : ''}`
  const blocks = line.things.map((thing) => <CompareBlock key={thing.id} change={thing} t={t} />)
  if (line.kind === 'form') {
    return (
      <>
        {(line.text || blocks.length === 0) && (
          <p className={className}>
            {line.text} <span className="text-muted text-xs">{t('editor:revision.form')}</span>
          </p>
        )}
        {blocks}
      </>
    )
  }
  return (
    <>
      {line.pieces.length > 0 && (
        <p className={className}>
          {line.pieces.map((piece) => (
            <TextPiece key={piece.id} piece={piece} />
          ))}
        </p>
      )}
      {blocks}
    </>
  )
}

function TextPiece({ piece: { text, change: is } }: { piece: TextChange }) {
  if (is === 'added') return <ins className="rounded-xs bg-success/15 decoration-success decoration-2">{text}</ins>
  if (is === 'removed') return <del className="rounded-xs bg-error/10 decoration-error">{text}</del>
  return text
}
