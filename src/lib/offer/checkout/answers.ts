import type { OrderAnswers } from '../order/schema.ts'
import type { OfferSettings } from '../schema.ts'
import type { PlaceOrder } from './schema.ts'

/** The answers to the questions of an offer with their labels, and what is missing by field. */
export function readCheckoutAnswers(
  { questions, phone }: Pick<OfferSettings, 'questions' | 'phone'>,
  input: Pick<PlaceOrder, 'answers' | 'phone'>,
): { answers: OrderAnswers; fields: Record<string, string[]> } {
  const fields: Record<string, string[]> = {}
  if (phone === 'required' && input.phone === '') fields.phone = ['required']
  const answers = questions.flatMap(({ id, label, required }) => {
    const answer = input.answers[id] ?? ''
    if (required && answer === '') fields[`answers.${id}`] = ['required']
    return answer === '' ? [] : [{ label, answer }]
  })
  return { answers, fields }
}
