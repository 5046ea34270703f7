import { describe, expect, test } from 'vitest'
import { decodeCaption, detectEncoding } from '#islands/storage/caption/caption-encoding.ts'

type CodePage = 'windows-1250' | 'windows-1251' | 'windows-1252'

/** Encodes text in a code page, by the table of its decoder. */
function encode(text: string, codePage: CodePage): Uint8Array<ArrayBuffer> {
  const table = new TextDecoder(codePage).decode(Uint8Array.from({ length: 256 }, (_, byte) => byte))
  const bytes = [...text].map((character) => table.indexOf(character))
  if (bytes.includes(-1)) throw new Error(`${codePage} has no sign of ${text}`)
  return Uint8Array.from(bytes)
}

function wide(text: string, littleEndian: boolean, mark: boolean): Uint8Array<ArrayBuffer> {
  const signs = (mark ? '\uFEFF' : '') + text
  const view = new DataView(new ArrayBuffer(signs.length * 2))
  for (let at = 0; at < signs.length; at += 1) view.setUint16(at * 2, signs.charCodeAt(at), littleEndian)
  return new Uint8Array(view.buffer)
}

const subrip = (...texts: string[]): string =>
  texts.map((text, at) => `${at + 1}\r\n00:00:0${at},000 --> 00:00:0${at + 1},000\r\n${text}\r\n`).join('\r\n')

const UKRAINIAN = subrip(
  'Доброго дня, друзі!',
  'Сьогодні поговоримо про її голос',
  'і про 3 способи: HTTP, «ґанок» та мед.',
)
const POLISH = subrip('Dzień dobry wszystkim.', 'Zażółć gęślą jaźń', 'Dziś będzie łatwo – „na pewno”.')
const GERMAN = subrip(
  'Guten Tag, schön, dass Sie da sind.',
  'Heute üben wir größere Übungen',
  '„Für alle“ – natürlich!',
)

describe('captions in a legacy code page are detected by their letters', () => {
  test.each<[string, CodePage, string]>([
    ['Ukrainian', 'windows-1251', UKRAINIAN],
    ['Ukrainian in one word', 'windows-1251', subrip('їжак')],
    ['Polish', 'windows-1250', POLISH],
    ['Czech', 'windows-1250', subrip('Příliš žluťoučký kůň', 'úpěl ďábelské ódy')],
    ['Hungarian', 'windows-1250', subrip('Jó estét kívánok!', 'Az őszi erdőben csönd és fű')],
    ['Croatian', 'windows-1250', subrip('Dobar dan, učenici', 'Želimo vam uspješan početak školske godine, đaci')],
    ['German', 'windows-1252', GERMAN],
    ['French', 'windows-1252', subrip('Ça va être très intéressant', 'là où vous êtes, cœur et âme, grâce à l’école')],
    ['Spanish', 'windows-1252', subrip('¿Qué tal, niños?', '¡Empezamos mañana!')],
    ['Italian', 'windows-1252', subrip('Perché è già più tardi', 'così può andare')],
    ['Portuguese', 'windows-1252', subrip('Olá! A lição não é difícil', 'vocês são ótimos')],
    ['Swedish', 'windows-1252', subrip('Välkommen på lektionen', 'nästa fråga är lätt för många')],
  ])('%s', (_, codePage, text) => {
    expect(decodeCaption(encode(text, codePage))).toBe(text)
  })
})

describe('captions in Unicode', () => {
  const utf8 = (text: string) => new Uint8Array(new TextEncoder().encode(text))
  test.each([
    ['UTF-8', 'utf-8', utf8(UKRAINIAN)],
    ['UTF-8 with a byte order mark', 'utf-8', utf8(`\uFEFF${UKRAINIAN}`)],
    ['UTF-16 of Windows', 'utf-16le', wide(UKRAINIAN, true, true)],
    ['UTF-16, the greater byte first', 'utf-16be', wide(UKRAINIAN, false, true)],
    ['UTF-16 of Windows without a mark', 'utf-16le', wide(UKRAINIAN, true, false)],
    ['UTF-16, the greater byte first, without a mark', 'utf-16be', wide(UKRAINIAN, false, false)],
  ])('%s', (_, encoding, bytes) => {
    expect(detectEncoding(bytes)).toBe(encoding)
    expect(decodeCaption(bytes)).toBe(UKRAINIAN)
  })

  test('with one damaged letter stay UTF-8', () => {
    const bytes = Uint8Array.from([...utf8(UKRAINIAN), 0xd0, 0x0a])
    expect(decodeCaption(bytes)).toContain('Сьогодні поговоримо про її голос')
  })

  test('in Latin letters only', () => {
    expect(decodeCaption(utf8(subrip('Good day')))).toBe(subrip('Good day'))
  })
})

test('bytes that are no text are refused', () => {
  expect(decodeCaption(Uint8Array.from([0, 1, 2]))).toBeNull()
  expect(decodeCaption(Uint8Array.from({ length: 4000 }, (_, at) => (at * 7919) % 256))).toBeNull()
})
