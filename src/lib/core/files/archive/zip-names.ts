import type { Entry } from 'yauzl'

const UTF8_FLAG = 0x800
const UNICODE_PATH_FIELD = 0x7075
const ENCODINGS = ['ibm866', 'windows-1251'] as const
// Letters of Ukrainian and Russian.
const LETTER = /[\u0410-\u044f\u0401\u0404\u0406\u0407\u0451\u0454\u0456\u0457\u0490\u0491]/

/**
 * Gives the entries of a ZIP the names that its author saw. Programs that do not mark names as Unicode write UTF-8, or
 * the code page of the system, of which the library knows only cp437: cp866 and cp1251 are distinguished by the letters of
 * all names together.
 */
export function nameEntries(entries: readonly Entry[]): void {
  const unmarked = entries.filter(
    ({ generalPurposeBitFlag, extraFields, fileNameRaw }) =>
      (generalPurposeBitFlag & UTF8_FLAG) === 0 &&
      !extraFields.some(({ id }) => id === UNICODE_PATH_FIELD) &&
      fileNameRaw.some((byte) => byte > 0x7f),
  )
  const raw = Buffer.concat(unmarked.flatMap(({ fileNameRaw }) => [fileNameRaw, Buffer.from('/')]))
  const encoding = encodingOf(raw)
  if (encoding === null) return
  for (const entry of unmarked) entry.fileName = new TextDecoder(encoding).decode(entry.fileNameRaw)
}

function encodingOf(raw: Buffer): string | null {
  if (isUtf8(raw)) return 'utf-8'
  const [best] = ENCODINGS.map((encoding) => ({
    encoding,
    share: letterShare(new TextDecoder(encoding).decode(raw)),
  })).sort((a, b) => b.share - a.share)
  return best && best.share > 0.6 ? best.encoding : null
}

const isUtf8 = (raw: Buffer): boolean => {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(raw)
    return true
  } catch {
    return false
  }
}

/** The share of Cyrillic letters among all characters that are not ASCII; a letter next to a Latin one does not count. */
function letterShare(text: string): number {
  const characters = [...text]
  const foreign = characters.filter((character) => character > '\x7f').length
  const letters = characters.filter(
    (character, at) =>
      LETTER.test(character) && !/[a-z]/i.test(`${characters[at - 1] ?? ''}${characters[at + 1] ?? ''}`),
  )
  return foreign === 0 ? 0 : letters.length / foreign
}
