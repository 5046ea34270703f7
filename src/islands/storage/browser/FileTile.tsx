import { dateOf, daysLeft, sizeOf } from '../file-text.ts'
import { CELL } from './aria-roles.ts'
import { Thumb } from './FileName.tsx'
import { Making, More, Name, Tick } from './FileParts.tsx'
import { frameOf, type ItemProps } from './item-props.ts'

/** One file or folder as a tile. */
export function FileTile(props: ItemProps) {
  const { row, words, anywhere, trash } = props
  const folder = row.parentName ?? words.t('storage:list.top')
  const days = row.deletedAt && words.t('storage:trash.days', { count: daysLeft(row.deletedAt) })
  const meta = [anywhere && !trash && folder, sizeOf(row, words), days ?? dateOf(row.createdAt, words)]
  return (
    <div {...CELL} className="file-tile" {...frameOf(props)}>
      <Thumb row={row} large />
      <div className="file-tick">
        <Tick {...props} />
      </div>
      <div className="flex min-w-0 items-start gap-1 p-2">
        <div className="min-w-0 flex-1">
          <Name {...props} />
          <Making {...props} />
          <span className="file-meta">{meta.filter(Boolean).join(' · ')}</span>
        </div>
        <More {...props} />
      </div>
    </div>
  )
}
