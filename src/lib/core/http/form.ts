import { isStorable } from '../shared/text/text.ts'
import { Refusal } from './refusal.ts'

/** Reads the form that was posted to a page. Refuses with wrong_type (no form) or invalid (text that the database cannot hold). */
export async function readForm(request: Request): Promise<FormData> {
  const form = await request.formData().catch((cause: unknown) => {
    throw new Refusal('wrong_type', {}, { cause })
  })
  for (const [name, value] of form) {
    if (!isStorable(name) || (typeof value === 'string' && !isStorable(value))) throw new Refusal('invalid')
  }
  return form
}
