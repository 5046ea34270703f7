import { useEffect, useRef } from 'react'
import { formatClock } from '#lib/core/shared/text/clock.ts'
import type { StorageI18n } from '../file-text.ts'
import { KindIcon } from './KindIcon.tsx'
import type { ListedFile } from './listing-query.ts'

/** A thumbnail, or the icon of the kind. */
export function FileThumbnail({ row, large = false }: { row: ListedFile; large?: boolean }) {
  return (
    <span className={large ? 'file-picture' : 'file-thumb'} data-kind={row.kind}>
      {row.thumbnailUrl ? (
        <img src={row.thumbnailUrl} alt="" loading="lazy" decoding="async" draggable={false} />
      ) : (
        <KindIcon kind={row.kind} size={large ? 40 : 20} />
      )}
      {large && row.duration !== null && <span className="file-length">{formatClock(row.duration)}</span>}
    </span>
  )
}

interface RenameProps {
  row: ListedFile
  i18n: StorageI18n
  onDone: (name: string | null) => void
}

const FOCUS_RETURN_MS = 250

/** The name as a field: Enter and blur save, Esc cancels. The part before the extension is selected. */
export function FileNameField({ row, i18n, onDone }: RenameProps) {
  const field = useRef<HTMLInputElement>(null)
  const done = useRef(false)
  const began = useRef(0)
  useEffect(() => {
    const dot = row.kind === 'folder' ? -1 : row.name.lastIndexOf('.')
    began.current = performance.now()
    field.current?.focus()
    field.current?.setSelectionRange(0, dot > 0 ? dot : row.name.length)
  }, [row.name, row.kind])
  const finish = (name: string | null) => {
    if (done.current) return
    done.current = true
    onDone(name && name.trim() !== '' && name !== row.name ? name : null)
  }
  return (
    <input
      ref={field}
      defaultValue={row.name}
      maxLength={200}
      aria-label={i18n.t('storage:list.newName')}
      className="input input-sm w-full"
      onClick={(event) => event.stopPropagation()}
      onDoubleClick={(event) => event.stopPropagation()}
      onBlur={(event) => {
        // A closing menu may still return the focus.
        if (performance.now() - began.current < FOCUS_RETURN_MS) event.target.focus()
        else finish(event.target.value)
      }}
      onKeyDown={(event) => {
        event.stopPropagation()
        if (event.key === 'Enter') finish(event.currentTarget.value)
        if (event.key === 'Escape') finish(null)
      }}
    />
  )
}
