import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { openArchive } from '#lib/core/files/archive/archive.ts'
import { withoutFolder } from '#lib/core/files/archive/archive-folder.ts'
import { isContainedPath } from '#lib/core/files/archive/archive-guard.ts'
import { parseXml, textContent } from '#lib/course/transfer/markup.ts'
import { tarOf, zipOf } from '../../setup/course/packages.ts'

const fault = (key: string) =>
  expect.objectContaining({ details: expect.objectContaining({ fields: { file: [key] } }) })

async function opened(bytes: Uint8Array) {
  const scratch = await mkdtemp(path.join(tmpdir(), 'kafedra-archive-'))
  const place = path.join(scratch, 'archive')
  await writeFile(place, bytes)
  return openArchive(place, scratch)
}

const text = (name: string, bytes = 'x') => ({ name, bytes })

describe.each([
  ['a ZIP', async (members: Parameters<typeof zipOf>[0]) => zipOf(members)],
  ['a gzipped tar', tarOf],
])('%s', (_, make) => {
  test('an archive is read by path', async () => {
    const archive = await opened(await make([text('a.txt', 'перший'), text('теку/b.txt', 'другий')]))
    expect(archive.names).toEqual(['a.txt', 'теку/b.txt'])
    expect((await archive.read('теку/b.txt'))?.toString()).toBe('другий')
    expect(await archive.read('c.txt')).toBeNull()
    archive.close()
  })

  test.each(['../etc/passwd', 'a/../../b', '/etc/passwd', 'a\\..\\b', 'C:\\x'])(
    'that leads to %s is refused',
    async (name) => {
      await expect(opened(await make([text(name)]))).rejects.toEqual(fault('archive_path'))
    },
  )

  test('an archive that expands far beyond its size is refused', async () => {
    const bomb = { name: 'bomb', bytes: Buffer.alloc(70 * 1024 * 1024) }
    await expect(opened(await make([bomb]))).rejects.toEqual(fault('archive_bomb'))
  })

  test('an archive with too many files is refused', async () => {
    const many = Array.from({ length: 20_001 }, (_, index) => text(`${index}`, ''))
    await expect(opened(await make(many))).rejects.toEqual(fault('archive_many'))
  }, 30_000)

  test('a truncated archive is refused', async () => {
    const whole = await make([text('a.txt', 'x'.repeat(1000))])
    await expect(opened(whole.subarray(0, whole.length - 30))).rejects.toEqual(fault('archive_damaged'))
  })
})

/** A text in a code page with one byte per character. */
function encoded(value: string, encoding: string): Buffer {
  const bytes = Array.from({ length: 256 }, (_, byte) => byte)
  const letters = [...new TextDecoder(encoding).decode(Buffer.from(bytes))]
  return Buffer.from([...value].map((letter) => letters.indexOf(letter)))
}

describe('names that are not marked as Unicode', () => {
  test.each([
    ['cp866', 'Курс/01 Вступ.md', 'ibm866'],
    ['cp1251', 'Курс/01 Вступ до їжі.md', 'windows-1251'],
    ['UTF-8', 'Курс/01 Вступ.md', null],
  ])('are read in %s', async (_, name, encoding) => {
    const rawName = encoding === null ? Buffer.from(name) : encoded(name, encoding)
    const archive = await opened(zipOf([{ name, bytes: 'x', rawName }]))
    expect(archive.names).toEqual([name])
    expect((await archive.read(name))?.toString()).toBe('x')
    archive.close()
  })

  test('stay in cp437 when they are not Cyrillic', async () => {
    const archive = await opened(
      zipOf([{ name: '', bytes: 'x', rawName: Buffer.from('caf\x82 \x81ber.txt', 'latin1') }]),
    )
    expect(archive.names).toEqual(['café über.txt'])
    archive.close()
  })

  test('that lead out of the folder are refused', async () => {
    const member = { name: '', bytes: 'x', rawName: encoded('Курс/../../файл', 'ibm866') }
    await expect(opened(zipOf([member]))).rejects.toEqual(fault('archive_path'))
  })
})

test('a folder around a package is ignored', async () => {
  const inside = [text('Мій курс/imsmanifest.xml', 'm'), text('Мій курс/les/a.html', 'a'), text('__MACOSX/x')]
  const archive = withoutFolder(await opened(zipOf(inside)), ['imsmanifest.xml'])
  expect(archive.names).toEqual(['imsmanifest.xml', 'les/a.html'])
  expect((await archive.read('les/a.html'))?.toString()).toBe('a')
  expect(archive.locate('les/a.html')).toEqual({ entry: 'Мій курс/les/a.html' })
  archive.close()
  const two = await opened(zipOf([text('a/imsmanifest.xml'), text('b/c.html')]))
  expect(withoutFolder(two, ['imsmanifest.xml'])).toBe(two)
  two.close()
})

test('links are refused', async () => {
  await expect(opened(zipOf([{ name: 'a', bytes: '/etc/passwd', mode: 0o120777 }]))).rejects.toEqual(
    fault('archive_link'),
  )
  await expect(opened(await tarOf([{ name: 'a', bytes: '', link: '/etc/passwd' }]))).rejects.toEqual(
    fault('archive_link'),
  )
})

test('an encrypted archive is refused', async () => {
  await expect(opened(zipOf([{ name: 'a', bytes: 'x', encrypted: true }]))).rejects.toEqual(fault('archive_locked'))
})

test('an entry larger than declared ends with an error, not with its content', async () => {
  const archive = await opened(zipOf([{ name: 'a', bytes: 'x'.repeat(100_000), size: 10 }]))
  await expect(archive.read('a')).rejects.toEqual(fault('archive_damaged'))
})

test('a file that is no archive is refused', async () => {
  await expect(opened(Buffer.from('hello world'))).rejects.toEqual(fault('archive_unknown'))
  await expect(opened(Buffer.alloc(0))).rejects.toEqual(fault('archive_unknown'))
})

test.each(['..', 'a/..', 'a:b/../c', '', 'x'.repeat(1001), 'a\0b'])('%j is not an internal path', (name) => {
  expect(isContainedPath(name)).toBe(false)
})

test.each(['<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>', '<b/>', '', 'no xml at all'])(
  'XML with types or entities of its own, or another root, is refused: %s',
  (xml) => {
    expect(() => parseXml(Buffer.from(xml), 'a', 'a.xml')).toThrow()
  },
)

test('a document type without entities is dropped', () => {
  const root = parseXml(
    Buffer.from('<!DOCTYPE a SYSTEM "file:///etc/passwd" [<!ELEMENT a (b)>]><a>x</a>'),
    'a',
    'a.xml',
  )
  expect(textContent(root)).toBe('x')
})

test('nesting exhausts neither the stack nor the time', () => {
  const nested = (depth: number) => parseXml(Buffer.from(`<a>${'<b>'.repeat(depth)}x`), 'a', 'a.xml')
  expect(textContent(nested(4000))).toBe('x')
  expect(() => nested(1_000_000)).toThrow()
})
