import { useMemo } from 'react'
import type { Locale } from '#lib/core/shared/locale.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { CompareBlock } from './CompareBlock.tsx'
import type { LessonText } from './lesson.ts'
import { type CompareLine, compareTexts, hasNoChanges, type TextChange } from './lesson-compare.ts'

interface Props {
  before: LessonText
  after: LessonText
  locale: Locale
  t: Translate
}

/** Compares two documents: additions are underlined, removals struck through, unchanged blocks only counted. */
export function LessonCompare({ before, after, locale, t }: Props) {
  const rows = useMemo(() => compareTexts(before, after, locale), [before, after, locale])
  if (hasNoChanges(rows)) return <p className="text-muted text-sm">{t('editor:revision.same')}</p>
  return (
    <div className="grid gap-2 break-words text-sm">
      {rows.map((row) => (
        <CompareRow key={row.id} row={row} t={t} />
      ))}
    </div>
  )
}

function CompareRow({ row, t }: { row: CompareLine; t: Translate }) {
  if (row.kind === 'same') {
    return <p className="text-muted text-xs">{t('editor:revision.unchanged', { count: row.count })}</p>
  }
  const className = `whitespace-pre-wrap ${row.heading ? 'font-semibold' : ''}`
  const blocks = row.blockChanges.map((change) => <CompareBlock key={change.id} change={change} t={t} />)
  if (row.kind === 'form') {
    return (
      <>
        {(row.text || blocks.length === 0) && (
          <p className={className}>
            {row.text} <span className="text-muted text-xs">{t('editor:revision.form')}</span>
          </p>
        )}
        {blocks}
      </>
    )
  }
  return (
    <>
      {row.textChanges.length > 0 && (
        <p className={className}>
          {row.textChanges.map((textChange) => (
            <ChangedText key={textChange.id} textChange={textChange} />
          ))}
        </p>
      )}
      {blocks}
    </>
  )
}

function ChangedText({ textChange: { text, change: kind } }: { textChange: TextChange }) {
  if (kind === 'added') return <ins className="rounded-xs bg-success/15 decoration-success decoration-2">{text}</ins>
  if (kind === 'removed') return <del className="rounded-xs bg-error/10 decoration-error">{text}</del>
  return text
}
