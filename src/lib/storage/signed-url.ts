import { and, eq, isNull, ne } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { mediaBase } from '#lib/core/files/media-ticket.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { dictionary } from '#lib/core/shared/dictionary.ts'
import { FileId } from './schema.ts'
import { file } from './table.ts'

type Viewer = Pick<Actor, 'tenantId' | 'viewer'>

/**
 * An address of a file that opens for this actor's session only, for two hours, on the host where it is asked. Whoever
 * calls has checked that the actor may see the file. Refuses with not_found, for what lies in the trash too.
 */
export async function signFile(actor: Actor, fileId: string, { download = false } = {}): Promise<string> {
  return originalUrl(actor, await loadFile(actor, fileId), { download })
}

/** The same for a picture that stands in a text: the widest of its smaller versions when there are any. Refuses alike. */
export async function signPicture(actor: Actor, fileId: string): Promise<string> {
  return pictureFor(actor, await loadFile(actor, fileId)).src
}

/** The same for a file whose row is at hand: no statement. */
export function originalUrl(
  actor: Viewer,
  { id, name, mime }: { id: string; name: string; mime: string },
  { download = false } = {},
): string {
  const query = `?name=${encodeURIComponent(name)}${download ? '&download' : ''}`
  return `${mediaBase(actor.tenantId, id, actor.viewer)}original.${servedExtension(mime)}${query}`
}

/** What a picture's addresses are made of. */
export interface PictureFile {
  id: string
  mime: string
  width: number | null
  height: number | null
  widths: number[]
}

/** A picture ready to be shown to one viewer. */
export interface Picture {
  src: string
  /** For `srcset`: the same picture in several widths; empty when there is one only. */
  avif: string
  webp: string
  /** Pixels, so that the page keeps its place; null while they are not known. */
  width: number | null
  height: number | null
}

/** Signs a picture's addresses for the actor's session. Whoever calls has checked that the actor may see it. */
export function pictureFor(actor: Viewer, { id, mime, width, height, widths }: PictureFile): Picture {
  const base = mediaBase(actor.tenantId, id, actor.viewer)
  const srcset = (format: string) => widths.map((one) => `${base}image/${one}.${format} ${one}w`).join(', ')
  const widest = widths.at(-1)
  const src = widest ? `${base}image/${widest}.webp` : `${base}original.${servedExtension(mime)}`
  return { src, avif: srcset('avif'), webp: srcset('webp'), width, height }
}

/**
 * The media door knows a file's type by its extension alone, so the extension says what the content is and not what
 * the name claims. What is not safe to be shown is `bin`: for download.
 */
const servedExtension = (mime: string): string => EXTENSION_BY_MIME[mime] ?? 'bin'

async function loadFile(actor: Actor, fileId: string) {
  if (!FileId.safeParse(fileId).success) throw new Refusal('not_found')
  const { id, name, mime, width, height, widths } = file
  const [found] = await inTenant(actor, (tx) =>
    tx
      .select({ id, name, mime, width, height, widths })
      .from(file)
      .where(and(eq(file.id, fileId), ne(file.kind, 'folder'), isNull(file.deletedAt))),
  )
  if (!found) throw new Refusal('not_found')
  return found
}

const EXTENSION_BY_MIME = dictionary<string>({
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/apng': 'png',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/avif': 'avif',
  'application/pdf': 'pdf',
  'text/plain': 'txt',
  'video/mp4': 'mp4',
  'video/quicktime': 'mov',
  'video/webm': 'webm',
  'video/x-matroska': 'mkv',
  'video/ogg': 'ogv',
  'audio/mpeg': 'mp3',
  'audio/mp4': 'm4a',
  'audio/ogg': 'ogg',
  'audio/wav': 'wav',
  'audio/flac': 'flac',
  'audio/aac': 'aac',
})
