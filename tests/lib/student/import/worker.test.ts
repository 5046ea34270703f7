import { crc32, deflateRawSync } from 'node:zlib'
import { makeZip } from 'client-zip'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { writeCsv } from '#lib/core/csv/csv.ts'
import { writeXlsx } from '#lib/core/csv/xlsx.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { MAX_IMPORT_ROWS } from '#lib/student/import/schema.ts'
import { parseStudentTable } from '#lib/student/import/worker.ts'

const RUNS = Number(process.env.IMPORT_RUNS ?? 60)
const bytesOf = (text: string) => new TextEncoder().encode(text)
const parse = (bytes: Uint8Array) => parseStudentTable({ bytes })
const reasonOf = (bytes: Uint8Array) =>
  parse(bytes).then(
    () => 'parsed',
    (error: unknown) => (error instanceof Refusal ? error.details.fields?.file?.[0] : error),
  )
const xlsx = async (rows: (string | number)[][]) => {
  async function* source() {
    yield* rows
  }
  return new Uint8Array(await new Response(writeXlsx(source())).arrayBuffer())
}

const utf16 = (text: string, { mark = true, bigEndian = false } = {}) => {
  const bytes = Buffer.from(mark ? `\ufeff${text}` : text, 'utf16le')
  return new Uint8Array(bigEndian ? bytes.swap16() : bytes)
}

/** Windows-1251 of Ukrainian letters and ASCII. */
function windows1251(text: string): Uint8Array {
  const decoder = new TextDecoder('windows-1251')
  const codes = new Map(Array.from({ length: 256 }, (_, code) => [decoder.decode(Uint8Array.of(code)), code]))
  return Uint8Array.from(text, (letter) => codes.get(letter) ?? 0x3f)
}

const TABLE = [
  ['Пошта', 'Ім’я'],
  ['olena@table.test', 'Олена Їжакевич'],
  ['ihor@table.test', 'Ігор "Гриць"'],
]
const EXPECTED = { heading: TABLE[0], rows: TABLE.slice(1) }

describe('a table', () => {
  test.each([
    ['UTF-8', bytesOf],
    ['UTF-8 with a byte order mark', (text: string) => bytesOf(`\ufeff${text}`)],
    ['UTF-16 LE', (text: string) => utf16(text)],
    ['UTF-16 BE', (text: string) => utf16(text, { bigEndian: true })],
    ['UTF-16 without a byte order mark', (text: string) => utf16(text, { mark: false })],
    ['Windows-1251', windows1251],
  ] as const)('in %s is read with every delimiter and line ending', async (_name, encode) => {
    for (const delimiter of [',', ';', '\t']) {
      for (const end of ['\r\n', '\n', '\r']) {
        const lines = TABLE.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(delimiter))
        expect(await parse(encode(lines.join(end)))).toEqual(EXPECTED)
      }
    }
  })

  test('of a spreadsheet is read unchanged', async () => {
    expect(await parse(await xlsx(TABLE))).toEqual(EXPECTED)
  })

  test('without a heading is data from its first row on', async () => {
    expect(await parse(bytesOf('a@b.test\nc@d.test'))).toEqual({ heading: null, rows: [['a@b.test'], ['c@d.test']] })
  })

  test('of the export is read back, formulas included', async () => {
    const formulas = [['=1+1'], ['+380'], ['-5'], ['@sum'], ["'=x"]].map(([name = ''], index) => [
      `p${index}@formula.test`,
      name,
    ])
    const written = writeCsv(['email', 'name'], formulas)
    expect(written).toContain("'=1+1")
    expect((await parse(bytesOf(written))).rows).toEqual(formulas)
  })
})

describe('a table of another program', () => {
  const rows = ['Пошта;Ім’я', 'olena@table.test;Олена Їжакевич', 'ihor@table.test;"Ігор ""Гриць"""']

  test.each(['sep=;', '"sep=;"', 'sep=;;', '\ufeffsep=;'])(
    'with the first line %j is read without it',
    async (first) => {
      expect(await parse(bytesOf([first, ...rows].join('\r\n')))).toEqual(EXPECTED)
    },
  )

  test.each([[['Список студентів, осінь 2026;', ';', 'Курс: вокал;']], [['Звіт від 05.11.2026;;', ';;']]])(
    'with titles above its heading is read from the heading',
    async (titles) => {
      expect(await parse(bytesOf([...titles, ...rows].join('\n')))).toMatchObject({
        heading: expect.arrayContaining(['Пошта', 'Ім’я']),
        rows: [expect.arrayContaining(['olena@table.test']), expect.arrayContaining(['ihor@table.test'])],
      })
    },
  )

  test('keeps a person without an address below the heading', async () => {
    const table = await parse(bytesOf([rows[0], ';Петро Безадресний', rows[1]].join('\n')))
    expect(table.rows.map((row) => row[1])).toEqual(['Петро Безадресний', 'Олена Їжакевич'])
  })

  test('is the sheet with addresses, with dates, long numbers and links', async () => {
    const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
    const related = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
    const text = (reference: string, value: string) => `<c r="${reference}" t="inlineStr"><is><t>${value}</t></is></c>`
    const sheet = (content: string) => `<worksheet xmlns="${main}" xmlns:r="${related}">${content}</worksheet>`
    const relation = (id: number, target: string) => `<Relationship Id="rId${id}" Target="${target}"/>`
    const parts: Record<string, string> = {
      'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${related}"><sheets><sheet name="a" r:id="rId1"/><sheet name="b" r:id="rId2"/></sheets></workbook>`,
      'xl/_rels/workbook.xml.rels': `<Relationships>${relation(1, 'worksheets/sheet1.xml')}${relation(2, 'worksheets/sheet2.xml')}</Relationships>`,
      'xl/styles.xml': `<styleSheet xmlns="${main}"><numFmts><numFmt numFmtId="164" formatCode="dd\\.mm\\.yyyy"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/></cellXfs></styleSheet>`,
      'xl/worksheets/sheet1.xml': sheet(`<sheetData><row r="1">${text('A1', 'Зміст')}</row></sheetData>`),
      'xl/worksheets/sheet2.xml': sheet(`<sheetData>
        <row r="1">${text('A1', 'Студенти')}</row>
        <row r="3">${text('A3', 'Пошта')}${text('B3', 'Телефон')}${text('C3', 'Дата')}${text('D3', 'Бал')}</row>
        <row r="4">${text('A4', 'написати')}<c r="B4"><v>3.8067123456700001E+11</v></c><c r="C4" s="1"><v>46331</v></c><c r="D4"><v>21.5</v></c></row>
        <row r="5"><c r="A5" t="str"><f>HYPERLINK("mailto:ihor@table.test","лист")</f><v>лист</v></c><c r="B5"><v>380671234568</v></c><c r="C5" s="1"><v>46331.75</v></c><c r="D5" t="e"><v>#N/A</v></c></row>
        <row r="6">${text('A6', 'zoia@table.test')}</row>
        </sheetData><hyperlinks><hyperlink ref="A4" r:id="rId1"/></hyperlinks>`),
      'xl/worksheets/_rels/sheet2.xml.rels': `<Relationships>${relation(1, 'mailto:olena@table.test?subject=x')}</Relationships>`,
    }
    const files = Object.entries(parts).map(([name, input]) => ({ name, input }))
    const zip = await new Response(makeZip(files)).arrayBuffer()
    expect(await parse(new Uint8Array(zip))).toEqual({
      heading: ['Пошта', 'Телефон', 'Дата', 'Бал'],
      rows: [
        ['olena@table.test', '380671234567', '2026-11-05', '21.5'],
        ['ihor@table.test', '380671234568', '2026-11-05 18:00', ''],
        ['zoia@table.test'],
      ],
    })
  })
})

describe('refused', () => {
  test.each([
    ['a picture', Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13]), 'not_a_table'],
    ['a page', bytesOf('<!doctype html><p>a@b.test'), 'not_a_table'],
    ['nothing', new Uint8Array(), 'table_empty'],
    ['a heading only', bytesOf('email,name\n'), 'table_empty'],
    ['a table without addresses', bytesOf('name\nОлена\nІгор'), 'import_no_email'],
    ['half a ZIP', Uint8Array.from([0x50, 0x4b, 3, 4, 20, 0]), 'archive_damaged'],
  ])('is %s', async (_name, bytes, reason) => {
    expect(await reasonOf(bytes)).toBe(reason)
  })

  test('are two million rows, as text and as a spreadsheet', async () => {
    expect(await reasonOf(bytesOf('a@b.c\n'.repeat(2_000_000)))).toBe('table_too_long')
    const rows = Array.from({ length: MAX_IMPORT_ROWS + 2 }, (_, index) => [`a${index}@b.test`])
    expect(await reasonOf(await xlsx(rows))).toBe('table_too_long')
  })

  test('is a spreadsheet of 200 KB that unpacks to 200 MB', async () => {
    const bomb = deflatedZip('xl/worksheets/sheet1.xml', Buffer.alloc(200 * 1024 ** 2, ' '))
    expect(bomb.length).toBeLessThan(300_000)
    expect(await reasonOf(bomb)).toBe('archive_bomb')
  })

  test('is a spreadsheet that unpacks to more than it declares', async () => {
    const bomb = deflatedZip('xl/worksheets/sheet1.xml', Buffer.alloc(20 * 1024 ** 2, ' '), 100)
    expect(await reasonOf(bomb)).toBe('archive_damaged')
  })
})

/** A ZIP of one deflated entry (APPNOTE 4.3); `declared` is the unpacked size in its header. */
function deflatedZip(name: string, content: Buffer, declared = content.length): Uint8Array {
  const data = deflateRawSync(content)
  const facts = Buffer.alloc(26)
  facts.writeUInt16LE(20, 0)
  facts.writeUInt16LE(8, 4)
  facts.writeUInt32LE(crc32(content), 10)
  facts.writeUInt32LE(data.length, 14)
  facts.writeUInt32LE(declared, 18)
  facts.writeUInt16LE(name.length, 22)
  const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), facts, Buffer.from(name), data])
  const central = Buffer.concat([
    Buffer.from('PK\u0001\u0002'),
    Buffer.from([20, 0]),
    facts,
    Buffer.alloc(14),
    Buffer.from(name),
  ])
  const end = Buffer.alloc(18)
  end.writeUInt16LE(1, 4)
  end.writeUInt16LE(1, 6)
  end.writeUInt32LE(central.length, 8)
  end.writeUInt32LE(local.length, 12)
  return new Uint8Array(Buffer.concat([local, central, Buffer.from('PK\u0005\u0006'), end]))
}

test('any bytes are read as a table or refused', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), async (bytes) => {
      expect(typeof (await reasonOf(bytes))).toBe('string')
      const zip = Uint8Array.from([0x50, 0x4b, 3, 4, ...bytes])
      expect(typeof (await reasonOf(zip))).toBe('string')
    }),
    { numRuns: RUNS },
  )
})

test('an export with any names is read back unchanged', async () => {
  const cell = fc.string({ unit: 'grapheme', maxLength: 40 }).map((text) =>
    text
      .replace(/[\p{Cc}\ufeff@]/gu, '')
      .toWellFormed()
      .trim(),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 20 }),
      fc.constantFrom(',', ';', '\t'),
      async (names, delimiter) => {
        const rows = names.map(([first, second], index) => [`p${index}@fuzz.test`, first, second])
        const text = writeCsv(['email', 'one', 'two'], rows, { delimiter })
        expect((await parse(bytesOf(text))).rows).toEqual(rows)
        const table = await parse(await xlsx([['email', 'one', 'two'], ...rows]))
        expect(table.rows.map((row) => [row[0], row[1] ?? '', row[2] ?? ''])).toEqual(rows)
      },
    ),
    { numRuns: RUNS },
  )
})
