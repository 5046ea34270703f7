import { daysLeft, formatFileDate, formatSize } from '../file-text.ts'
import { CELL } from './aria-roles.ts'
import { FileThumbnail } from './FileName.tsx'
import { FileNameLink, MoreButton, ProcessingState, RowCheckbox } from './FileParts.tsx'
import { type ItemProps, itemAttributes } from './item-props.ts'

/** A file or folder as a tile. */
export function FileTile(props: ItemProps) {
  const { row, i18n, anywhere, trash } = props
  const folder = row.parentName ?? i18n.t('storage:list.top')
  const days = row.deletedAt && i18n.t('storage:trash.days', { count: daysLeft(row.deletedAt) })
  const meta = [anywhere && !trash && folder, formatSize(row, i18n), days ?? formatFileDate(row.createdAt, i18n)]
  return (
    <div {...CELL} className="file-tile" {...itemAttributes(props)}>
      <FileThumbnail row={row} large />
      <div className="file-tick">
        <RowCheckbox {...props} />
      </div>
      <div className="flex min-w-0 items-start gap-1 p-2">
        <div className="min-w-0 flex-1">
          <FileNameLink {...props} />
          <ProcessingState {...props} />
          <span className="file-meta">{meta.filter(Boolean).join(' · ')}</span>
        </div>
        <MoreButton {...props} />
      </div>
    </div>
  )
}
