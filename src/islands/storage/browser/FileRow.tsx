import { dateOf, daysLeft, sizeOf } from '../file-text.ts'
import { CELL, rowAt } from './aria-roles.ts'
import { Thumb } from './FileName.tsx'
import { Making, More, Name, Tick } from './FileParts.tsx'
import { frameOf, type ItemProps } from './item-props.ts'

/** One file or folder as a line of the list. */
export function FileLine(props: ItemProps) {
  const { row, words, trash, anywhere, place } = props
  const { t } = words
  const size = sizeOf(row, words)
  const date = dateOf(row.deletedAt ?? row.createdAt, words)
  const days = row.deletedAt ? t('storage:trash.days', { count: daysLeft(row.deletedAt) }) : ''
  const used = row.usedCount > 0 ? t('storage:list.usedCount', { count: row.usedCount }) : t('storage:list.unused')
  const third = trash ? days : row.kind === 'folder' ? '' : used
  const folder = row.parentName ?? t('storage:list.top')
  const meta = [anywhere && !trash && folder, size, date, trash && days].filter(Boolean).join(' · ')
  return (
    <div {...rowAt(place + 2)} className="file-line" {...frameOf(props)}>
      <div {...CELL} className="file-tick">
        <Tick {...props} />
      </div>
      <div {...CELL} className="file-main">
        <Thumb row={row} />
        <div className="min-w-0 flex-1">
          <Name {...props} />
          <Making {...props} />
          <span className="file-meta">{meta}</span>
        </div>
      </div>
      <div {...CELL} className="file-wide">
        {anywhere && !trash ? folder : third}
      </div>
      <div {...CELL} className="file-wide numeric">
        {size}
      </div>
      <div {...CELL} className="file-wide">
        {date}
      </div>
      <div {...CELL} className="file-more">
        <More {...props} />
      </div>
    </div>
  )
}
