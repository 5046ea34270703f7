import type { AnswerValue } from '#lib/quiz/question/schema.ts'

const text = (words: string) => ({
  type: 'doc',
  content: [{ type: 'paragraph', content: [{ type: 'text', text: words }] }],
})
const options = (...fractions: number[]) =>
  fractions.map((fraction, n) => ({
    id: `o${n}`,
    content: text(`Варіант ${n + 1}: як саме вчинить слухач`),
    fraction,
  }))

const KINDS = [
  { type: 'single', options: options(1, 0, 0, 0) },
  { type: 'multiple', options: options(0.5, 0.5, -0.5, -0.5, 0) },
  { type: 'shortText', accepted: [{ id: 'a', text: 'дихання', fraction: 1 }] },
  { type: 'number', accepted: [{ id: 'a', kind: 'value', value: '3.14', tolerance: '0.01', fraction: 1 }] },
  {
    type: 'matching',
    prompts: ['p0', 'p1', 'p2'].map((id, n) => ({ id, content: text(`Ознака ${n + 1}`), choiceId: `c${n}` })),
    choices: ['c0', 'c1', 'c2', 'c3'].map((id, n) => ({ id, content: text(`Пояснення ${n + 1}`) })),
  },
] as const

/** The content of the question at a position: five types in turn. */
export function questionAt(place: number): object {
  const stem = text(`Запитання ${place + 1}: що зробить ведучий, коли зал мовчить після першого запитання?`)
  return { ...KINDS[place % KINDS.length], stem }
}

/** An answer to the question at a position; each number has a different one. */
export function answerAt(place: number, number: number): AnswerValue {
  const kind = KINDS[place % KINDS.length]?.type
  switch (kind) {
    case 'single':
      return { type: kind, optionId: `o${number % 4}` }
    case 'multiple':
      return { type: kind, optionIds: [`o${number % 5}`, `o${(number + 1) % 5}`] }
    case 'shortText':
      return { type: kind, text: `дихання ${number}` }
    case 'number':
      return { type: kind, text: String(number) }
    default:
      return { type: 'matching', choices: { p0: `c${number % 4}`, p1: 'c1' } }
  }
}
