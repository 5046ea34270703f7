import fc from 'fast-check'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { FileName } from '#lib/storage/schema.ts'
import { detectFileType, extensionOf } from '#lib/storage/upload/kind.ts'

const bytes = (hex: string, length = 400) =>
  Buffer.concat([Buffer.from(hex.replaceAll(' ', ''), 'hex'), Buffer.alloc(length)])
const MP4 = bytes('00000020 66747970 69736f6d 00000200 69736f6d 69736f32 61766331 6d703431')
const M4A = bytes('00000020 66747970 4d344120 00000200 4d344120 69736f32 61766331 6d703431')
const MKV = bytes('1a45dfa3 a3 42868101 42f78101 42f28104 42f38108 4282886d6174726f736b61')
const WEBM = bytes('1a45dfa3 9f 42868101 42f78101 42f28104 42f38108 4282847765626d')
const MP3 = bytes('49443303000000000000fffb9064')
const WAV = bytes('52494646 24080000 57415645 666d7420')
const PDF = Buffer.from('%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>')
const ZIP = bytes('504b0304 1400 0000 0800 00000000 00000000 00000000 00000000 0500 0000 612e747874')
const CFB = bytes('d0cf11e0a1b11ae1')
const EXE = bytes('4d5a9000 03000000 04000000 ffff0000')
const ELF = bytes('7f454c46 02010100')
const MACHO = bytes('cffaedfe 07000001')
const CLASS = bytes('cafebabe 00000034')
const JAVA_ARCHIVE = bytes(
  '504b0304 1400 0000 0000 00000000 00000000 00000000 00000000 1400 0000 4d4554412d494e462f4d414e49464553542e4d46',
)
const LNK = bytes('4c000000 01140200 00000000 c0000000 00000046')
const NOISE = bytes('00 9f 01 88 fe 13 77')
const words = (text: string) => Buffer.from(text)
const PAGE = words('<!doctype html><title>x</title><script>alert(1)</script>')
const SVG = words('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')

describe('the type of a file is determined by its content', async () => {
  const PNG = await sharp({ create: { width: 4, height: 4, channels: 3, background: '#fff' } })
    .png()
    .toBuffer()
  const GIF = await sharp(PNG).gif().toBuffer()
  const facts: [string, Uint8Array, string, string][] = [
    ['Знімок.PNG', PNG, 'image', 'image/png'],
    ['знімок.jpg', PNG, 'image', 'image/png'],
    ['без розширення', GIF, 'image', 'image/gif'],
    ['урок.mp4', MP4, 'video', 'video/mp4'],
    ['урок', MP4, 'video', 'video/mp4'],
    ['урок.mkv', MKV, 'video', 'video/x-matroska'],
    ['урок.webm', WEBM, 'video', 'video/webm'],
    ['голос.m4a', M4A, 'audio', 'audio/mp4'],
    ['пісня.mp3', MP3, 'audio', 'audio/mpeg'],
    ['звук.wav', WAV, 'audio', 'audio/wav'],
    ['книга.pdf', PDF, 'doc', 'application/pdf'],
    ['план.docx', ZIP, 'doc', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
    ['план.doc', CFB, 'doc', 'application/msword'],
    ['нотатки.txt', words('BMW – це авто. MZ теж.'), 'doc', 'text/plain'],
    ['нотатки.md', words('# План\n<p align="center">'), 'doc', 'text/plain'],
    ['код.py', words('print("привіт")'), 'file', 'text/plain'],
    ['архів.zip', ZIP, 'file', 'application/octet-stream'],
    ['щось.xyz', NOISE, 'file', 'application/octet-stream'],
    ['старе.txt', bytes('cff0e8e2b3f2', 0), 'file', 'application/octet-stream'],
    ['сторінка.html', PAGE, 'file', 'application/octet-stream'],
    ['схема.svg', SVG, 'file', 'application/octet-stream'],
    ['дані.xml', words('<?xml version="1.0"?><a/>'), 'file', 'application/octet-stream'],
    ['код.js', words('alert(1)'), 'file', 'application/octet-stream'],
    ['щось.bin', PAGE, 'file', 'application/octet-stream'],
  ]
  test.each(facts)('%s', async (name, head, kind, mime) => {
    expect(await detectFileType(head, name)).toEqual({ kind, mime })
  })

  const refused: [string, Uint8Array, string][] = [
    ['програма.exe', EXE, 'type_refused'],
    ['програма', EXE, 'type_refused'],
    ['урок.mp4', EXE, 'type_refused'],
    ['книга.pdf', ELF, 'type_refused'],
    ['файл.bin', MACHO, 'type_refused'],
    ['Файл.class', CLASS, 'type_refused'],
    ['архів.zip', JAVA_ARCHIVE, 'type_refused'],
    ['ярлик.txt', LNK, 'type_refused'],
    ['setup.MSI', CFB, 'type_refused'],
    ['гра.apk', ZIP, 'type_refused'],
    ['старт.bat', words('del *.*'), 'type_refused'],
    ['рахунок.pdf.exe', words('текст'), 'type_refused'],
    ['фото.png', PAGE, 'type_differs'],
    ['фото.jpg', SVG, 'type_differs'],
    ['фото.png', MP4, 'type_differs'],
    ['урок.mp4', PNG, 'type_differs'],
    ['урок.mp4', words('просто текст'), 'type_differs'],
    ['урок.mp4', NOISE, 'type_differs'],
    ['книга.pdf', PAGE, 'type_differs'],
    ['план.docx', PAGE, 'type_differs'],
    ['план.doc', EXE, 'type_refused'],
    ['нотатки.txt', PAGE, 'type_differs'],
    ['дані.csv', words('  <html><body>'), 'type_differs'],
    ['дані.csv', words('<!-- a --> <?XML version="1.0"?>\n<!--> <!DOCTYPE  html>'), 'type_differs'],
    ['дані.csv', words(`${'<!---->'.repeat(30)}<body>`), 'type_differs'],
  ]
  test.each(refused)('%s is refused', async (name, head, failure) => {
    expect(await detectFileType(head, name)).toBe(failure)
  })

  test('a text that begins with comments and is no HTML page is a text', async () => {
    for (const text of [`${'<!---->'.repeat(500)}x`, '<!-- open <html>', '<?xml open', '<!--'.repeat(1000)]) {
      expect(await detectFileType(words(text), 'нотатки.txt')).toMatchObject({ kind: 'doc' })
    }
  })

  test('any bytes and any name yield one of the known results', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 600 }),
        fc.string({ maxLength: 30, unit: 'binary' }),
        async (head, name) => {
          const known = await detectFileType(head, name)
          if (typeof known === 'string') expect(['type_refused', 'type_differs']).toContain(known)
          else expect(known.mime).not.toMatch(/html|svg|xml$|javascript/)
        },
      ),
      { numRuns: 500 },
    )
  })
})

describe('a name', () => {
  const names: [string, string][] = [
    ['../../etc/passwd', '....etcpasswd'],
    ['a\u0000b\r\n.txt', 'ab.txt'],
    ['рахунок\u202Egpj.exe', 'рахунокgpj.exe'],
    ['  Й ї  ', 'Й ї'],
    ['x'.repeat(500), 'x'.repeat(200)],
    ['C:\\temp\\a.txt', 'C:tempa.txt'],
  ]
  test.each(names)('%j is reduced to a safe file name', (given, kept) => {
    expect(FileName.parse(given)).toBe(kept)
  })

  test('that is empty is refused', () => {
    for (const name of ['', '  ', '/', '\u0000']) expect(FileName.safeParse(name).success).toBe(false)
  })

  test('has the extension after its last dot', () => {
    expect(['a.MP4', 'a.tar.gz', '.env', 'a.', 'a', 'a.дока', 'a. b'].map((name) => extensionOf(name))).toEqual([
      'mp4',
      'gz',
      '',
      '',
      '',
      'дока',
      '',
    ])
  })
})
