/** An IBAN without blanks, in capitals. */
export const normalizeIban = (typed: string): string => typed.replace(/\s/g, '').toUpperCase()

/** Whether the check digits of an IBAN are right (ISO 13616, ISO 7064 MOD 97-10). */
export function isIban(iban: string): boolean {
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(iban)) return false
  const moved = iban.slice(4) + iban.slice(0, 4)
  const digits = moved.replace(/[A-Z]/g, (letter) => String(Number.parseInt(letter, 36)))
  return BigInt(digits) % 97n === 1n
}

/** An IBAN in groups of four characters, as people read it. */
export const formatIban = (iban: string): string => iban.replace(/(.{4})(?=.)/g, '$1 ')
