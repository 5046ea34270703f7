import { Refusal } from '#lib/core/http/refusal.ts'
import { undrawableCharacters } from '../template/drawable-rules.ts'

/** Refuses with invalid a name with characters that the fonts of certificates lack, and names them. */
export function requireDrawableName(name: string): void {
  const characters = undrawableCharacters(name)
  if (characters)
    throw new Refusal('invalid', { fields: { name: ['certificate_characters'] }, variables: { characters } })
}
