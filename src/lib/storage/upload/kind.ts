import { dictionary } from '#lib/core/shared/dictionary.ts'
import type { FileFailure, FileKind } from '#lib/core/shared/storing.ts'

export interface KnownKind {
  kind: Exclude<FileKind, 'folder'>
  mime: string
}

const BINARY: KnownKind = { kind: 'file', mime: 'application/octet-stream' }
const PLAIN: KnownKind = { kind: 'doc', mime: 'text/plain' }

/**
 * What a file is, by its first bytes (HEAD_BYTES of them are enough); the name may only narrow it down. Programs are
 * refused with type_refused; a name that promises a picture, a sound, a video, a PDF or an office document over other
 * bytes with type_differs. What nobody knows is a plain file for download.
 */
export async function kindOf(head: Uint8Array, name: string): Promise<KnownKind | FileFailure> {
  const extension = extensionOf(name)
  if (PROGRAMS.has(extension)) return 'type_refused'
  const text = textOf(head)
  const mime = text === null || isMarked(head) ? await sniff(head) : null
  if (mime && PROGRAM_TYPES.test(mime)) return 'type_refused'
  const promised = PROMISES[extension]
  if (promised) return keeps(promised, mime) ? known(mime ?? '', promised, extension) : 'type_differs'
  if (text !== null && !mime) return textKind(text, extension)
  return known(mime ?? '', null, extension)
}

/** What stands behind the last dot, in small letters; empty when nothing does. */
export function extensionOf(name: string): string {
  return /[^.]\.([^.\s]{1,12})$/.exec(name)?.[1]?.toLowerCase() ?? ''
}

type Promised = 'image' | 'video' | 'audio' | 'pdf' | 'office'

const promises = (what: Promised, extensions: string) => extensions.split(' ').map((one) => [one, what] as const)

const PROMISES = dictionary<Promised>(
  Object.fromEntries([
    ...promises('image', 'jpg jpeg jpe png apng gif webp avif heic heif bmp tif tiff'),
    ...promises('video', 'mp4 m4v mov webm mkv avi mpg mpeg wmv flv 3gp 3g2 ogv mts m2ts'),
    ...promises('audio', 'mp3 m4a m4b aac ogg oga opus flac wav aif aiff amr wma'),
    ...promises('pdf', 'pdf'),
    ...promises('office', 'doc docx docm dotx xls xlsx xlsm xlt xltx ppt pptx pptm pps ppsx potx'),
    ...promises('office', 'odt ods odp odg ott ots otp pages numbers epub rtf'),
  ]),
)

/** What runs when somebody opens it. */
const PROGRAMS = new Set(
  [
    'exe dll com scr pif bat cmd msi msp msix cpl lnk hta vbs vbe wsf wsh jse jar apk xapk aab ipa',
    'app dmg pkg deb rpm appimage run elf crx xpi swf chm gadget',
  ].flatMap((line) => line.split(' ')),
)
const PROGRAM_TYPES =
  /^application\/(x-msdownload|x-elf|x-mach-binary|java-vm|java-archive|vnd\.android\.package-archive|x-deb|x-rpm|x-ms-shortcut|x-ft-apple\.alias|x-apple-diskimage|x-google-chrome-extension|x-xpinstall|x-shockwave-flash|vnd\.ms-htmlhelp|x-ms-regedit)$/

// Sound and pictures share their containers: an .mp4 without a picture is still what it says.
const MOVING = /^(video\/|audio\/|application\/(ogg|mxf|vnd\.rn-realmedia|vnd\.ms-asf))/
const OFFICE =
  /^application\/(zip|x-cfb|rtf|epub\+zip|vnd\.(openxmlformats|oasis|ms-(word|excel|powerpoint|office)|apple\.|visio).*)$/

function keeps(promised: Promised, mime: string | null): boolean {
  if (!mime) return false
  if (promised === 'image') return mime.startsWith('image/')
  if (promised === 'pdf') return mime === 'application/pdf'
  return (promised === 'office' ? OFFICE : MOVING).test(mime)
}

/** Pictures that browsers or the product's own library draw; the rest is for download. */
const PICTURES = /^image\/(jpeg|png|apng|gif|webp|avif|heic|heif|heic-sequence|heif-sequence|bmp|tiff)$/

/** Office formats that say no more of themselves than "archive": by extension. */
const OOXML = 'application/vnd.openxmlformats-officedocument'
const OFFICE_TYPES = dictionary<string>({
  doc: 'application/msword',
  xls: 'application/vnd.ms-excel',
  ppt: 'application/vnd.ms-powerpoint',
  docx: `${OOXML}.wordprocessingml.document`,
  xlsx: `${OOXML}.spreadsheetml.sheet`,
  pptx: `${OOXML}.presentationml.presentation`,
})

function known(mime: string, promised: Promised | null, extension: string): KnownKind {
  if (promised === 'office') {
    const vague = mime === 'application/zip' || mime === 'application/x-cfb'
    return { kind: 'doc', mime: vague ? (OFFICE_TYPES[extension] ?? BINARY.mime) : mime }
  }
  if (PICTURES.test(mime)) return { kind: 'image', mime }
  if (mime === 'application/pdf') return { kind: 'doc', mime }
  if (MOVING.test(mime)) return moving(mime, promised)
  if (OFFICE.test(mime) && mime !== 'application/zip' && mime !== 'application/x-cfb') return { kind: 'doc', mime }
  return BINARY
}

function moving(mime: string, promised: Promised | null): KnownKind {
  if (mime === 'audio/midi') return BINARY
  const kind = promised === 'audio' || (promised !== 'video' && mime.startsWith('audio/')) ? 'audio' : 'video'
  return { kind, mime: MEDIA_TYPES[mime] ?? mime.split(';')[0] ?? mime }
}

/** Names under which browsers play what file-type calls otherwise. */
const MEDIA_TYPES = dictionary<string>({
  'video/matroska': 'video/x-matroska',
  'audio/x-m4a': 'audio/mp4',
  'video/x-m4v': 'video/mp4',
  'application/ogg': 'video/ogg',
})

/** Text that a browser would run or draw as a page is kept as a file, never as something to look at. */
const LIVELY = new Set('html htm xhtml xht shtml mhtml mht svg svgz xml xsl xslt js mjs cjs'.split(' '))
const PAGE = /^<(?:!doctype\s+html|html|head|body|script|svg|iframe)[\s>]/i

function textKind(text: string, extension: string): KnownKind | FileFailure {
  if (LIVELY.has(extension)) return BINARY
  // A page that calls itself a text is there to be taken for something else.
  if (isPage(text)) return CALM.has(extension) ? 'type_differs' : BINARY
  return CALM.has(extension) || extension === '' ? PLAIN : { ...PLAIN, kind: 'file' }
}

/** Whether a text begins as a page, behind white space, comments and an XML declaration. Linear in its length. */
function isPage(text: string): boolean {
  let at = spaceEnd(text, 0)
  for (let end = skipped(text, at); end > at; end = skipped(text, at)) at = spaceEnd(text, end)
  return PAGE.test(text.slice(at))
}

/** The index behind a comment or a declaration that begins at `at`; `at` when none does, or when it does not end. */
function skipped(text: string, at: number): number {
  const comment = /<!--(-?>)?/y
  comment.lastIndex = at
  const [opening = '', empty] = comment.exec(text) ?? []
  if (empty) return at + opening.length
  if (!opening && text.slice(at, at + 5).toLowerCase() !== '<?xml') return at
  const closing = opening ? '-->' : '>'
  const end = text.indexOf(closing, at + opening.length)
  return end === -1 ? at : end + closing.length
}

function spaceEnd(text: string, at: number): number {
  const space = /\s*/y
  space.lastIndex = at
  return at + (space.exec(text)?.[0].length ?? 0)
}

const CALM = new Set('txt md markdown csv tsv log srt vtt ics vcf json'.split(' '))

async function sniff(head: Uint8Array): Promise<string | null> {
  const { fileTypeFromBuffer } = await import('file-type')
  const found = await fileTypeFromBuffer(head)
  return found?.mime ?? null
}

/** Formats that are text to the eye and yet no plain text. */
function isMarked(head: Uint8Array): boolean {
  return /^(%PDF-|\{\\rtf|%!PS)/.test(Buffer.from(head.subarray(0, 8)).toString('latin1'))
}

/** The text of a beginning, or null when it is no text: UTF-8 or UTF-16 with its mark, without control characters. */
function textOf(head: Uint8Array): string | null {
  const wide = (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff)
  const encoding = wide ? (head[0] === 0xff ? 'utf-16le' : 'utf-16be') : 'utf-8'
  try {
    // The last letter may be cut in half: with `stream` it is waited for and not refused.
    const text = new TextDecoder(encoding, { fatal: true }).decode(head, { stream: true })
    return CONTROLS.test(text) ? null : text
  } catch {
    return null
  }
}

const CONTROLS = /[^\P{Cc}\t\n\v\f\r]/u
