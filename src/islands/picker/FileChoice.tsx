import { AudioLines, File, FileText, Film, Image } from 'lucide-react'
import { formatBytes, type Locale } from '#lib/core/shared/locale.ts'
import type { FileKind } from '#lib/core/shared/stored-file.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { PickedFile } from './stored-file.ts'

const ICONS = { folder: File, image: Image, video: Film, audio: AudioLines, doc: FileText, file: File }

interface Props {
  file: PickedFile
  onPick: () => void
  locale: Locale
  t: Translate
}

/** One file of the list; a click chooses it. */
export function FileChoice({
  file: { kind, name, size, thumbnailUrl: thumb, state, truncated },
  onPick,
  locale,
  t,
}: Props) {
  return (
    <li>
      <button type="button" className="option w-full" onClick={onPick}>
        <FileThumb kind={kind} thumb={thumb} />
        <span className="min-w-0 flex-1 truncate text-start">{name}</span>
        {state === 'failed' && <span className="badge badge-sm badge-error">{t('editor:pick.damaged')}</span>}
        {state === 'finished' && truncated && (
          <span className="badge badge-sm badge-warning">{t('editor:pick.truncated')}</span>
        )}
        <span className="text-muted text-sm">{formatBytes(size, locale)}</span>
      </button>
    </li>
  )
}

/** A thumbnail of a file, or the icon of its kind. */
function FileThumb({ kind, thumb }: { kind: FileKind; thumb: string | null }) {
  const Icon = ICONS[kind]
  return (
    <span className="pick-thumb">
      {thumb ? <img src={thumb} alt="" loading="lazy" /> : <Icon size={20} strokeWidth={1.75} aria-hidden="true" />}
    </span>
  )
}
