import { and, eq, isNull, ne } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { mediaBaseUrl } from '#lib/core/files/media-url.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { dictionary } from '#lib/core/shared/dictionary.ts'
import { FileId } from './schema.ts'
import { file } from './table.ts'

/** Who opens signed URLs: a login session, or ANYONE. With `hidesIds` the URLs do not tell when a file was uploaded. */
export type Viewer = Pick<Actor, 'tenantId' | 'viewer'> & { hidesIds?: boolean }

/**
 * Signs the URL of a file for the actor's login session and host, valid for two hours. The caller has checked that the
 * actor may see the file. Refuses with not_found, also for a file in the trash.
 */
export async function signFile(actor: Actor, fileId: string, { download = false } = {}): Promise<string> {
  return originalUrl(actor, await loadFile(actor, fileId), { download })
}

/** As signFile, for a picture in a text: the widest of its smaller versions if there are any. */
export async function signPicture(actor: Actor, fileId: string): Promise<string> {
  return pictureFor(actor, await loadFile(actor, fileId)).src
}

/** As signFile, for a loaded row: no query. */
export function originalUrl(
  actor: Viewer,
  { id, name, mime }: { id: string; name: string; mime: string },
  { download = false } = {},
): string {
  const query = `?name=${encodeURIComponent(name)}${download ? '&download' : ''}`
  return `${mediaBaseUrl(actor.tenantId, id, actor.viewer, { isHidden: actor.hidesIds })}original.${servedExtension(mime)}${query}`
}

/** The columns from which a picture's URLs are built. */
export interface PictureFile {
  id: string
  mime: string
  width: number | null
  height: number | null
  widths: number[]
}

/** The same, to be selected from `file`. */
export const pictureColumns = {
  id: file.id,
  mime: file.mime,
  width: file.width,
  height: file.height,
  widths: file.widths,
}

/** Signed URLs of a picture for one viewer. */
export interface Picture {
  src: string
  /** For `srcset`: the picture in several widths; empty when there is only one. */
  avif: string
  webp: string
  /** Pixels, so that the page reserves the space; null while unknown. */
  width: number | null
  height: number | null
}

/** Signs a picture's URLs for the actor's login session. The caller has checked that the actor may see it. */
export function pictureFor(actor: Viewer, { id, mime, width, height, widths }: PictureFile): Picture {
  const base = mediaBaseUrl(actor.tenantId, id, actor.viewer, { isHidden: actor.hidesIds })
  const srcset = (format: string) => widths.map((width) => `${base}image/${width}.${format} ${width}w`).join(', ')
  const widest = widths.at(-1)
  const src = widest ? `${base}image/${widest}.webp` : `${base}original.${servedExtension(mime)}`
  return { src, avif: srcset('avif'), webp: srcset('webp'), width, height }
}

/**
 * The media endpoint derives the content type from the extension, so the extension follows the detected type and not
 * the name. Types that are not safe to display are `bin`, for download.
 */
const servedExtension = (mime: string): string => EXTENSION_BY_MIME[mime] ?? 'bin'

async function loadFile(actor: Actor, fileId: string) {
  if (!FileId.safeParse(fileId).success) throw new Refusal('not_found')
  const { id, name, mime, width, height, widths } = file
  const [row] = await inTenant(actor, (tx) =>
    tx
      .select({ id, name, mime, width, height, widths })
      .from(file)
      .where(and(eq(file.id, fileId), ne(file.kind, 'folder'), isNull(file.deletedAt))),
  )
  if (!row) throw new Refusal('not_found')
  return row
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
