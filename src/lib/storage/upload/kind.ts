import { dictionary } from '#lib/core/shared/dictionary.ts'
import type { FileFailure, FileKind } from '#lib/core/shared/stored-file.ts'

export interface FileType {
  kind: Exclude<FileKind, 'folder'>
  mime: string
}

const BINARY: FileType = { kind: 'file', mime: 'application/octet-stream' }
const PLAIN_TEXT: FileType = { kind: 'doc', mime: 'text/plain' }

/**
 * Detects the type of a file by its first bytes (HEAD_BYTES are enough); the extension only narrows it. Returns
 * type_refused for programs, and type_differs when the extension of a picture, audio, video, PDF or office file does
 * not match the bytes. Unknown content is a plain file for download.
 */
export async function detectFileType(head: Uint8Array, name: string): Promise<FileType | FileFailure> {
  const extension = extensionOf(name)
  if (PROGRAMS.has(extension)) return 'type_refused'
  const text = decodeText(head)
  const mime = text === null || hasTextLikeSignature(head) ? await detectMime(head) : null
  if (mime && PROGRAM_TYPES.test(mime)) return 'type_refused'
  const promised = EXPECTED_KINDS[extension]
  if (promised) return matchesExpected(promised, mime) ? toFileType(mime ?? '', promised, extension) : 'type_differs'
  if (text !== null && !mime) return toTextType(text, extension)
  return toFileType(mime ?? '', null, extension)
}

/** The extension in lower case; empty without one. */
export function extensionOf(name: string): string {
  return /[^.]\.([^.\s]{1,12})$/.exec(name)?.[1]?.toLowerCase() ?? ''
}

type ExpectedKind = 'image' | 'video' | 'audio' | 'pdf' | 'office'

const kindsByExtension = (kind: ExpectedKind, extensions: string) =>
  extensions.split(' ').map((extension) => [extension, kind] as const)

const EXPECTED_KINDS = dictionary<ExpectedKind>(
  Object.fromEntries([
    ...kindsByExtension('image', 'jpg jpeg jpe png apng gif webp avif heic heif bmp tif tiff'),
    ...kindsByExtension('video', 'mp4 m4v mov webm mkv avi mpg mpeg wmv flv 3gp 3g2 ogv mts m2ts'),
    ...kindsByExtension('audio', 'mp3 m4a m4b aac ogg oga opus flac wav aif aiff amr wma'),
    ...kindsByExtension('pdf', 'pdf'),
    ...kindsByExtension('office', 'doc docx docm dotx xls xlsx xlsm xlt xltx ppt pptx pptm pps ppsx potx'),
    ...kindsByExtension('office', 'odt ods odp odg ott ots otp pages numbers epub rtf'),
  ]),
)

/** Programs: files that run when opened. */
const PROGRAMS = new Set(
  [
    'exe dll com scr pif bat cmd msi msp msix cpl lnk hta vbs vbe wsf wsh jse jar apk xapk aab ipa',
    'app dmg pkg deb rpm appimage run elf crx xpi swf chm gadget',
  ].flatMap((line) => line.split(' ')),
)
const PROGRAM_TYPES =
  /^application\/(x-msdownload|x-elf|x-mach-binary|java-vm|java-archive|vnd\.android\.package-archive|x-deb|x-rpm|x-ms-shortcut|x-ft-apple\.alias|x-apple-diskimage|x-google-chrome-extension|x-xpinstall|x-shockwave-flash|vnd\.ms-htmlhelp|x-ms-regedit)$/

// Audio and video share containers: an .mp4 without a picture is valid.
const MEDIA_PATTERN = /^(video\/|audio\/|application\/(ogg|mxf|vnd\.rn-realmedia|vnd\.ms-asf))/
const OFFICE_PATTERN =
  /^application\/(zip|x-cfb|rtf|epub\+zip|vnd\.(openxmlformats|oasis|ms-(word|excel|powerpoint|office)|apple\.|visio).*)$/

function matchesExpected(promised: ExpectedKind, mime: string | null): boolean {
  if (!mime) return false
  if (promised === 'image') return mime.startsWith('image/')
  if (promised === 'pdf') return mime === 'application/pdf'
  return (promised === 'office' ? OFFICE_PATTERN : MEDIA_PATTERN).test(mime)
}

/** Pictures that browsers or sharp can decode; others are for download. */
const PICTURE_PATTERN = /^image\/(jpeg|png|apng|gif|webp|avif|heic|heif|heic-sequence|heif-sequence|bmp|tiff)$/

/** Office formats that are detected only as an archive: by extension. */
const OOXML = 'application/vnd.openxmlformats-officedocument'
const OFFICE_TYPES = dictionary<string>({
  doc: 'application/msword',
  xls: 'application/vnd.ms-excel',
  ppt: 'application/vnd.ms-powerpoint',
  docx: `${OOXML}.wordprocessingml.document`,
  xlsx: `${OOXML}.spreadsheetml.sheet`,
  pptx: `${OOXML}.presentationml.presentation`,
})

function toFileType(mime: string, promised: ExpectedKind | null, extension: string): FileType {
  if (promised === 'office') {
    const vague = mime === 'application/zip' || mime === 'application/x-cfb'
    return { kind: 'doc', mime: vague ? (OFFICE_TYPES[extension] ?? BINARY.mime) : mime }
  }
  if (PICTURE_PATTERN.test(mime)) return { kind: 'image', mime }
  if (mime === 'application/pdf') return { kind: 'doc', mime }
  if (MEDIA_PATTERN.test(mime)) return toMediaType(mime, promised)
  if (OFFICE_PATTERN.test(mime) && mime !== 'application/zip' && mime !== 'application/x-cfb')
    return { kind: 'doc', mime }
  return BINARY
}

function toMediaType(mime: string, promised: ExpectedKind | null): FileType {
  if (mime === 'audio/midi') return BINARY
  const kind = promised === 'audio' || (promised !== 'video' && mime.startsWith('audio/')) ? 'audio' : 'video'
  return { kind, mime: MEDIA_TYPE_ALIASES[mime] ?? mime.split(';')[0] ?? mime }
}

/** Content types that browsers play, by the names of file-type. */
const MEDIA_TYPE_ALIASES = dictionary<string>({
  'video/matroska': 'video/x-matroska',
  'audio/x-m4a': 'audio/mp4',
  'video/x-m4v': 'video/mp4',
  'application/ogg': 'video/ogg',
})

/** Text that a browser would execute or render as a page is stored for download only. */
const ACTIVE_EXTENSIONS = new Set('html htm xhtml xht shtml mhtml mht svg svgz xml xsl xslt js mjs cjs'.split(' '))
const HTML_START = /^<(?:!doctype\s+html|html|head|body|script|svg|iframe)[\s>]/i

function toTextType(text: string, extension: string): FileType | FileFailure {
  if (ACTIVE_EXTENSIONS.has(extension)) return BINARY
  // HTML with the extension of a text file is refused.
  if (isPage(text)) return TEXT_EXTENSIONS.has(extension) ? 'type_differs' : BINARY
  return TEXT_EXTENSIONS.has(extension) || extension === '' ? PLAIN_TEXT : { ...PLAIN_TEXT, kind: 'file' }
}

/** Whether a text starts as HTML, after white space, comments and an XML declaration. Linear in its length. */
function isPage(text: string): boolean {
  let at = skipSpace(text, 0)
  for (let end = skipMarkup(text, at); end > at; end = skipMarkup(text, at)) at = skipSpace(text, end)
  return HTML_START.test(text.slice(at))
}

/** The index after a comment or declaration that starts at `at`; `at` when none does, or when it is not closed. */
function skipMarkup(text: string, at: number): number {
  const comment = /<!--(-?>)?/y
  comment.lastIndex = at
  const [opening = '', empty] = comment.exec(text) ?? []
  if (empty) return at + opening.length
  if (!opening && text.slice(at, at + 5).toLowerCase() !== '<?xml') return at
  const closing = opening ? '-->' : '>'
  const end = text.indexOf(closing, at + opening.length)
  return end === -1 ? at : end + closing.length
}

function skipSpace(text: string, at: number): number {
  const space = /\s*/y
  space.lastIndex = at
  return at + (space.exec(text)?.[0].length ?? 0)
}

const TEXT_EXTENSIONS = new Set('txt md markdown csv tsv log srt vtt ics vcf json'.split(' '))

async function detectMime(head: Uint8Array): Promise<string | null> {
  const { fileTypeFromBuffer } = await import('file-type')
  const detected = await fileTypeFromBuffer(head)
  return detected?.mime ?? null
}

/** Formats that decode as text but are not plain text. */
function hasTextLikeSignature(head: Uint8Array): boolean {
  return /^(%PDF-|\{\\rtf|%!PS)/.test(Buffer.from(head.subarray(0, 8)).toString('latin1'))
}

/**
 * The text of the first bytes, or null when they are not text: UTF-8 or UTF-16 with byte order mark, without control
 * characters.
 */
function decodeText(head: Uint8Array): string | null {
  const wide = (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff)
  const encoding = wide ? (head[0] === 0xff ? 'utf-16le' : 'utf-16be') : 'utf-8'
  try {
    // The last character may be incomplete: `stream` accepts that.
    const text = new TextDecoder(encoding, { fatal: true }).decode(head, { stream: true })
    return CONTROLS.test(text) ? null : text
  } catch {
    return null
  }
}

const CONTROLS = /[^\P{Cc}\t\n\v\f\r]/u
