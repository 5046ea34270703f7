import fc from 'fast-check'
import { parseText } from 'media-captions'
import { describe, expect, test } from 'vitest'
import { cleanCueText, editableCueText } from '#lib/core/shared/text/cue-text.ts'
import { type Cue, formatTimestamp, formatWebvtt, parseTimestamp } from '#lib/core/shared/text/webvtt.ts'
import { CaptionError, readCaptions, readValidCaptions } from '#lib/storage/caption/webvtt.ts'

const GOOD = `WEBVTT - Лекція

STYLE
::cue { background: url(https://evil.test/) }

NOTE від редактора
ще рядок

1
00:00.500 --> 00:02.000 align:start line:0
<v Оксана>Добрий <b>день</b>

00:00:01.500 --> 01:00:03.250
Сьогодні
про головне
`
const TWO: Cue[] = [
  { start: 0.5, end: 2, text: '<v Оксана>Добрий <b>день</b></v>', settings: 'align:start line:0' },
  { start: 1.5, end: 3603.25, text: 'Сьогодні\nпро головне' },
]
const SRT = `1
00:00:02,000 --> 00:00:03,500
{\\an8}<font color="red">Другий</font> & далі

ще після порожнього рядка

2
00:00:00,100 --> 00:00:01,000
<i>Перший</i>
`

describe('captions are read', () => {
  test('from WebVTT, overlapping ones included, without styles and notes', () => {
    expect(readCaptions(GOOD)).toEqual(TWO)
  })

  test('with a byte order mark and with Windows and classic Mac line endings', () => {
    expect(readCaptions(`\uFEFF${GOOD}`)).toEqual(TWO)
    expect(readCaptions(GOOD.replaceAll('\n', '\r\n'))).toEqual(TWO)
    expect(readCaptions(GOOD.replaceAll('\n', '\r'))).toEqual(TWO)
  })

  test('from SubRip, in chronological order, without foreign tags', () => {
    expect(readCaptions(SRT)).toEqual([
      { start: 0.1, end: 1, text: '<i>Перший</i>' },
      { start: 2, end: 3.5, text: 'Другий &amp; далі\nще після порожнього рядка' },
    ])
    expect(readCaptions(`\uFEFF\r\n${SRT.replaceAll('\n', '\r\n')}`)).toHaveLength(2)
  })

  test('with an arrow in the first line of a note', () => {
    const text = 'WEBVTT\n\nNOTE --> не час\nще рядок\n\n00:00.000 --> 00:01.000\nа'
    expect(readCaptions(text).map((cue) => cue.text)).toEqual(['а'])
  })

  test('with nested tags, up to thirty-two levels', () => {
    const text = cleanCueText(`${'<b>'.repeat(40)}а`)
    expect(text).toBe(`${'<b>'.repeat(32)}а${'</b>'.repeat(32)}`)
    expect(cleanCueText(text)).toBe(text)
  })

  test('without the empty line between two cues', () => {
    const text = '1\n00:00:00,000 --> 00:00:01,000\nа\n2\n00:00:01,000 --> 00:00:02,000\nб'
    expect(readCaptions(text).map((cue) => cue.text)).toEqual(['а', 'б'])
  })
})

describe('an invalid caption file is refused with the line number', () => {
  const bad: [string, string, string, number][] = [
    ['a page', '<!doctype html>\n<script>alert(1)</script>', 'caption_format', 1],
    ['nothing', ' \n\n', 'caption_format', 1],
    ['a lower-case signature', 'webvtt\n\n00:00.000 --> 00:01.000\nа', 'caption_format', 1],
    ['no captions at all', 'WEBVTT\n\nNOTE порожньо\n', 'caption_no_cues', 1],
    ['words without times', 'WEBVTT\n\n00:00.000 --> 00:01.000\nа\n\nзагублені слова\n', 'caption_timing', 6],
    ['a time that is none', 'WEBVTT\n\n00:00.000 --> скоро\nа', 'caption_time', 3],
    ['seconds above 59', 'WEBVTT\n\n00:61.000 --> 01:02.000\nа', 'caption_time', 3],
    ['a negative time', '1\n00:00:-1,000 --> 00:00:02,000\nа', 'caption_time', 2],
    ['a time before the beginning', '1\n-00:00:01,000 --> 00:00:02,000\nа', 'caption_negative', 2],
    ['an end before its beginning', 'WEBVTT\n\n00:02.000 --> 00:01.000\nа', 'caption_order', 3],
    ['no length', 'WEBVTT\n\n00:02.000 --> 00:02.000\nа', 'caption_order', 3],
  ]
  test.each(bad)('%s', (_, text, fault, line) => {
    expect(() => readCaptions(text)).toThrow(CaptionError)
    try {
      readCaptions(text)
    } catch (error) {
      expect(error).toMatchObject({ fault, line })
    }
  })
})

describe('an invalid cue is skipped and listed, the others are read', () => {
  const valid = '00:00.000 --> 00:01.000\nа'
  test.each([
    ['words without times', `WEBVTT\n\n${valid}\n\nзагублені слова\nі ще`, 'caption_timing', 6, 'загублені слова'],
    ['a time that is none', `WEBVTT\n\n00:02.000 --> скоро\nб\n\n${valid}`, 'caption_time', 3, '00:02.000 --> скоро'],
    ['an end before its beginning', `WEBVTT\n\n7\n00:02.000 --> 00:01.000\nб\n\n${valid}`, 'caption_order', 4, ''],
    ['a negative time', `WEBVTT\n\n-00:02.000 --> 00:01.000\nб\n\n${valid}`, 'caption_negative', 3, ''],
  ])('%s', (_, text, fault, line, words) => {
    const { cues, skipped } = readValidCaptions(text)
    expect(cues).toEqual([{ start: 0, end: 1, text: 'а' }])
    expect(skipped).toMatchObject([{ fault, line, words: expect.stringContaining(words) }])
  })

  test('text after an empty line in an invalid SubRip cue is skipped with it', () => {
    const text =
      '1\n00:00:00,000 --> 00:00:01,000\nа\n\n2\n00:00:03,000 --> 00:00:02,000\nб\n\nще б\n\n3\n00:00:04,000 --> 00:00:05,000\nв'
    const { cues, skipped } = readValidCaptions(text)
    expect(cues.map((cue) => cue.text)).toEqual(['а', 'в'])
    expect(skipped).toMatchObject([{ fault: 'caption_order', line: 6 }])
  })

  test('a file without any valid cue is refused for the first one', () => {
    expect(() => readValidCaptions('WEBVTT\n\n00:02.000 --> 00:01.000\nа')).toThrow('caption_order in line 3')
    expect(() => readValidCaptions('WEBVTT\n\nNOTE порожньо')).toThrow('caption_no_cues')
    expect(() => readValidCaptions('просто слова')).toThrow('caption_format')
  })
})

describe('the markup of a cue', () => {
  const hostile: [string, string][] = [
    ['<script>alert(1)</script>', 'alert(1)'],
    ['<img src=x onerror=alert(1)>так', 'так'],
    ['<c.yellow onclick=x>так', '<c.yellow>так</c>'],
    ['<b>а <i>б</b> в', '<b>а <i>б</i></b> в'],
    ['a < b && c > d', 'a &lt; b &amp;&amp; c &gt; d'],
    ['x <y and z> w', 'x &lt;y and z&gt; w'],
    ['&#60;script&#62;', '&lt;script&gt;'],
    ['час --> час', 'час --&gt; час'],
    ['а\n\n\nб<br>в', 'а\nб\nв'],
    ['<v "Оксана" & Ко>так', '<v "Оксана" &amp; Ко>так</v>'],
    ['<b></b>', ''],
    ['\u0000а\u0007', 'а'],
  ]
  test.each(hostile)('%j is sanitised', (text, clean) => {
    expect(cleanCueText(text)).toBe(clean)
  })

  test('is unchanged by a second sanitising, and stays as typed', () => {
    const pieces = [
      '<b>',
      '</b>',
      '<v А>',
      '<',
      '>',
      '&',
      '&amp;',
      '&#60;',
      '--',
      'слово',
      '\n',
      ' ',
      '<x',
      '<00:01.000>',
    ]
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 12 }), (parts) => {
        const clean = cleanCueText(parts.join(''))
        expect(cleanCueText(clean)).toBe(clean)
        expect(cleanCueText(editableCueText(clean))).toBe(clean)
        expect(clean).not.toMatch(/-->|\n\n/)
      }),
    )
    expect(editableCueText('AT&amp;T')).toBe('AT&T')
    expect(editableCueText('&lt;i&gt;')).toBe('&lt;i&gt;')
  })
})

test('times are formatted and parsed in every notation', () => {
  expect([0, 59.9996, 61.5, 360_000.25].map(formatTimestamp)).toEqual([
    '00:00:00.000',
    '00:01:00.000',
    '00:01:01.500',
    '100:00:00.250',
  ])
  expect(['1:02', '01:02.5', '00:01:02,500', '100:00:00.250'].map(parseTimestamp)).toEqual([62, 62.5, 62.5, 360_000.25])
  expect(['', '5', '-1:00', '1:60', '60:00', 'a:b', '1:2:3:4'].map(parseTimestamp)).toEqual(Array(7).fill(null))
})

test('the output is read without errors by an independent parser', async () => {
  const cue = fc.record({
    start: fc.integer({ min: 0, max: 7_200_000 }).map((ms) => ms / 1000),
    length: fc.integer({ min: 1, max: 9000 }).map((ms) => ms / 1000),
    text: fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(cue, { minLength: 1, maxLength: 5 }), async (made) => {
      const text = formatWebvtt(made.map(({ start, length, text }) => ({ start, end: start + length, text })))
      const cueCount = made.filter(({ text }) => cleanCueText(text) !== '').length
      const { cues, errors } = await parseText(text, { type: 'vtt', strict: true })
      expect([cues.length, errors]).toEqual([cueCount, []])
      if (cueCount > 0) expect(formatWebvtt(readCaptions(text))).toBe(text)
    }),
    { numRuns: 60 },
  )
})

test('an empty line between the number and the times of a SubRip caption is ignored', () => {
  const text = '1\n\n00:00:00,000 --> 00:00:00,760\nFirst\n2024\n\n2\n\n\n00:00:01,000 --> 00:00:02,000\nSecond\n'
  expect(readCaptions(text).map((cue) => cue.text)).toEqual(['First\n2024', 'Second'])
})
