import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { inSystem, pool } from '#lib/core/db/db.ts'
import { phoneKey, phoneQuery } from '#lib/core/shared/text/phone.ts'

afterAll(() => pool.end())

const SPELLINGS = [
  '+380 67 123-45-67',
  '+380671234567',
  '0671234567',
  '(067) 123 45 67',
  '80671234567',
  '00380671234567',
  '067.123.45.67',
  '671234567',
  '+38 (067) 123-45-67',
  '0671234567, 0501112233',
]

test('every spelling of a phone has one key, and is a query for it', () => {
  expect(new Set(SPELLINGS.map(phoneKey))).toEqual(new Set(['671234567']))
  for (const spelling of SPELLINGS.slice(0, -1)) expect(phoneQuery(spelling)).toEqual({ key: '671234567' })
  expect(phoneQuery('+380 67 123')).toEqual({ part: '38067123', beginning: '67123' })
  expect(phoneQuery('45-67')).toEqual({ part: '4567', beginning: null })
  for (const query of ['123', 'Олена 0671234567', '']) expect(phoneQuery(query)).toBeNull()
})

test('the database has the same key', async () => {
  const typed = fc.sample(fc.string({ unit: fc.constantFrom(...'0123456789+() -.,;/#xд\n'), maxLength: 30 }), 500)
  const phones = [...SPELLINGS, ...typed]
  const { rows } = await inSystem((tx) =>
    tx.execute<{ key: string }>(sql`select phone_key(phone) as key
      from jsonb_array_elements_text(${JSON.stringify(phones)}::jsonb) with ordinality as p(phone, position) order by position`),
  )
  expect(rows.map(({ key }) => key)).toEqual(phones.map(phoneKey))
})

test('searches compare composed letters', async () => {
  const { rows } = await inSystem((tx) =>
    tx.execute<{ text: string }>(sql`select search_text(${'Їжак Андрій О’Коннор'.normalize('NFD')}) as text`),
  )
  expect(rows[0]?.text).toBe("їжак андрій о'коннор".normalize('NFC'))
})
