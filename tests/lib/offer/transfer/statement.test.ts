import { expect, test } from 'vitest'
import { Refusal } from '#lib/core/http/refusal.ts'
import { parseStatement } from '#lib/offer/transfer/statement.ts'

const parse = (text: string) => parseStatement({ bytes: new TextEncoder().encode(text) })

test('a statement with a preamble, debit and credit has its receipts only', () => {
  const lines = parse(
    [
      'Виписка за рахунком UA21;;;;;',
      'Дата операції;Валюта;Дебет;Кредит;Кореспондент;Призначення платежу',
      '24.11.2026;UAH;;1 500,00;Коваль Олена;Оплата за замовленням № 12 від 24.11.2026',
      '24.11.2026;UAH;900,00;;Постачальник;Оренда',
      '24.11.2026;EUR;;10,00;Іноземець;№ 12',
    ].join('\r\n'),
  )
  expect(lines).toMatchObject([{ date: '24.11.2026', amount: 150_000, payer: 'Коваль Олена', numbers: [12] }])
})

test.each([
  ['"1,500.00"', 150_000],
  ['+1500.5', 150_050],
  ['1500', 150_000],
  ["1'500,00", 150_000],
  ['-1500.00', null],
  ['0', null],
  ['багато', null],
])('the amount %s', (typed, amount) => {
  const lines = parse(`Date,Amount,Payer,Purpose\n2026-11-24,${typed},Olena,order 7`)
  expect(lines.map((line) => line.amount)).toEqual(amount === null ? [] : [amount])
})

test.each([
  ['Оплата за замовленням № 12', [12]],
  ['замовлення 12, договір №3', [12, 3]],
  ['Сплата 150 за курс 24.11.2026', [150]],
  ['order no. 8', [8]],
  ['за навчання', []],
  ['№ 1234567890', []],
])('the numbers in «%s»', (purpose, numbers) => {
  expect(parse(`Сума;Призначення\n10;${purpose}`)[0]?.numbers).toEqual(numbers)
})

test('a line has the same reference in another file, and equal lines have different ones', () => {
  const heading = 'Дата;Сума;Платник;Призначення\n'
  const line = '24.11.2026;10,00;Коваль;№ 1\n'
  const [first, second] = parse(`${heading}${line}${line}`)
  expect(parse(`${heading}25.11.2026;10,00;Коваль;№ 1\n${line}`)[1]?.reference).toBe(first?.reference)
  expect(second?.reference).not.toBe(first?.reference)
})

test('a file in Windows-1251 is read, and one without the columns refused', () => {
  // «Сума;Призначення» in Windows-1251.
  const heading = [209, 243, 236, 224, 59, 207, 240, 232, 231, 237, 224, 247, 229, 237, 237, 255]
  const bytes = new Uint8Array([...heading, ...new TextEncoder().encode('\n10;12')])
  expect(parseStatement({ bytes })).toMatchObject([{ amount: 1000, numbers: [12] }])
  for (const text of ['', 'a;b\n1;2', '\u0000\u0001\u0002'])
    expect(() => parse(text)).toThrow(expect.objectContaining<Partial<Refusal>>({ code: 'unprocessable' }))
  expect(() => parse(`Сума;Призначення\n${'1;2\n'.repeat(5001)}`)).toThrow(Refusal)
})
