import { AudioLines, File, FileText, Film, Folder, Image } from 'lucide-react'
import type { FileKind } from '#lib/core/shared/stored-file.ts'

const ICONS = { folder: Folder, image: Image, video: Film, audio: AudioLines, doc: FileText, file: File }

/** The icon of a kind; decorative, because the kind is also stated as text. */
export function KindIcon({ kind, size = 20 }: { kind: FileKind; size?: number }) {
  const Icon = ICONS[kind]
  return <Icon size={size} strokeWidth={1.75} aria-hidden="true" className="shrink-0" />
}
