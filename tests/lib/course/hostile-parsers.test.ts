import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ARCHIVE_LIMITS } from '#lib/core/files/archive/archive-guard.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { HEAD_BYTES, MAX_CAPTION_BYTES } from '#lib/core/shared/stored-file.ts'
import { closeWorkers, workerTask } from '#lib/core/worker/pool.ts'
import type { parseCourse } from '#lib/quiz/transfer/course/worker.ts'
import type { parseCaptions } from '#lib/storage/caption/worker.ts'
import { detectFileType } from '#lib/storage/upload/kind.ts'
import { docxOf, zipOf } from '../../setup/course/packages.ts'

/*
 * Malicious content of the largest size in the processes that parse uploads. `npm run soak -- parsers` measures how
 * their time grows; here each file ends within the limit of its process, only this file is refused, and others are
 * processed.
 */
const LIMIT_MS = 1500
const MARKDOWN_PAGE = 5 * 1024 ** 2
const REASONS = ['parse_too_complex', 'import_xml', 'import_empty', 'import_unknown', 'archive_damaged', 'archive_bomb']

const filled = (piece: string, size: number) => piece.repeat(Math.floor(size / piece.length))
const member = (name: string, bytes: string) => ({ name, bytes })
const manifest = (pages: number) =>
  `<manifest><resources>${Array.from({ length: pages }, (_, at) => `<resource identifier="p${at}" type="webcontent" href="p.html"><file href="p.html"/></resource>`).join('')}</resources></manifest>`

const { text: LARGEST } = ARCHIVE_LIMITS
const PACKAGES: [string, () => Buffer][] = [
  ['a page of Markdown that nests', () => zipOf([member('a.md', filled('> ', MARKDOWN_PAGE))])],
  ['a page of Markdown that opens links', () => zipOf([member('a.md', filled('![[a](', MARKDOWN_PAGE))])],
  ['a page of Markdown that emphasizes', () => zipOf([member('a.md', filled('*a _b ', MARKDOWN_PAGE))])],
  [
    'a page of HTML that nests',
    () => zipOf([member('imsmanifest.xml', manifest(1)), member('p.html', filled('<b><i>', LARGEST))]),
  ],
  ['a manifest that nests', () => zipOf([member('moodle_backup.xml', filled('<a>', LARGEST))])],
  ['a document of Word that nests', () => docxOf(filled('<w:p><w:ins>', LARGEST / 2))],
  ['a document of Word with formulas that do not end', () => docxOf(filled('<m:oMath a="', LARGEST / 2))],
]

const parse = workerTask<typeof parseCourse>({
  file: 'src/lib/quiz/transfer/course/worker.ts',
  name: 'parseCourse',
  lane: 'job',
  limitMs: LIMIT_MS,
})
const parseAtLeisure = workerTask<typeof parseCourse>({
  file: 'src/lib/quiz/transfer/course/worker.ts',
  name: 'parseCourse',
  lane: 'job',
  limitMs: 60_000,
})
const captions = workerTask<typeof parseCaptions>({
  file: 'src/lib/storage/caption/worker.ts',
  name: 'parseCaptions',
  lane: 'request',
  limitMs: LIMIT_MS,
})

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'kafedra-hostile-'))
})
afterAll(async () => {
  closeWorkers()
  await rm(folder, { recursive: true })
})

async function uploaded(name: string, bytes: Uint8Array) {
  const at = path.join(folder, name)
  await writeFile(at, bytes)
  return { path: at, name, scratch: folder, labels: { notPlaced: 'Not placed', files: 'Files' } }
}

/** The reason why a file was refused; `read` when it was not. Other errors are defects. */
const outcomeOf = (reading: Promise<unknown>): Promise<string> =>
  reading.then(
    () => 'read',
    (error: unknown) => {
      if (!(error instanceof Refusal) || error.code !== 'unprocessable') throw error
      return error.details.fields?.file?.[0] ?? 'unknown'
    },
  )

describe('hostile content of the largest size', () => {
  test.each(PACKAGES)('%s is read or refused within its limit', { timeout: 60_000 }, async (name, bytes) => {
    const outcome = await outcomeOf(parse(await uploaded(`${name}.zip`, bytes())))
    expect(['read', ...REASONS]).toContain(outcome)
  })

  test.each(['<b>', '&lt', '00:00.000 --> ', '\n\n', '{\\an8}'])(
    'captions of %j end within their limit',
    async (piece) => {
      const text = `WEBVTT\n\n00:00.000 --> 00:01.000\na${filled(piece, MAX_CAPTION_BYTES)}`
      expect(['read', 'parse_too_complex']).toContain(await outcomeOf(captions({ text })))
    },
  )

  test('is stopped by its process without affecting this one, and other files are read', {
    timeout: 120_000,
  }, async () => {
    let turns = 0
    const ticking = setInterval(() => {
      turns += 1
    }, 5)
    // More content than any machine can parse within the limit.
    const pages = Array.from({ length: 12 }, (_, at) => member(`${at}.md`, filled('![[a](', MARKDOWN_PAGE)))
    const hostile = outcomeOf(parse(await uploaded('hostile.zip', zipOf(pages))))
    const calm = parseAtLeisure(await uploaded('calm.zip', zipOf([member('a.md', '# Title\n\ntext')])))
    expect((await calm).modules[0]?.lessons[0]?.title).toBe('Title')
    expect(await hostile).toBe('parse_too_complex')
    clearInterval(ticking)
    expect(turns).toBeGreaterThan(3)
  })

  test('has the type given by its first bytes: a PDF is parsed in the browser only', async () => {
    const hostile = (start: string) => Buffer.from(start + filled('<!---->', HEAD_BYTES)).subarray(0, HEAD_BYTES)
    expect(await detectFileType(hostile('%PDF-1.4\n'), 'a.pdf')).toMatchObject({ mime: 'application/pdf' })
    expect(await detectFileType(hostile(''), 'a.html')).toMatchObject({ mime: 'application/octet-stream' })
  })
})
