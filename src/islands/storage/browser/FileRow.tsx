import { daysLeft, formatFileDate, formatSize } from '../file-text.ts'
import { CELL, rowRole } from './aria-roles.ts'
import { FileThumbnail } from './FileName.tsx'
import { FileNameLink, MoreButton, ProcessingState, RowCheckbox } from './FileParts.tsx'
import { type ItemProps, itemAttributes } from './item-props.ts'

/** A file or folder as a row of the list. */
export function FileRow(props: ItemProps) {
  const { row, i18n, trash, anywhere, place } = props
  const { t } = i18n
  const size = formatSize(row, i18n)
  const date = formatFileDate(row.deletedAt ?? row.createdAt, i18n)
  const days = row.deletedAt ? t('storage:trash.days', { count: daysLeft(row.deletedAt) }) : ''
  const used = row.usedCount > 0 ? t('storage:list.usedCount', { count: row.usedCount }) : t('storage:list.unused')
  const third = trash ? days : row.kind === 'folder' ? '' : used
  const folder = row.parentName ?? t('storage:list.top')
  const meta = [anywhere && !trash && folder, size, date, trash && days].filter(Boolean).join(' · ')
  return (
    <div {...rowRole(place + 2)} className="file-line" {...itemAttributes(props)}>
      <div {...CELL} className="file-tick">
        <RowCheckbox {...props} />
      </div>
      <div {...CELL} className="file-main">
        <FileThumbnail row={row} />
        <div className="min-w-0 flex-1">
          <FileNameLink {...props} />
          <ProcessingState {...props} />
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
        <MoreButton {...props} />
      </div>
    </div>
  )
}
