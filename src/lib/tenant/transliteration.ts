import { trimEndOf } from '#lib/core/shared/text/trim-end.ts'

const LETTERS: Record<string, string> = {
  а: 'a',
  б: 'b',
  в: 'v',
  г: 'h',
  ґ: 'g',
  д: 'd',
  е: 'e',
  є: 'ie',
  ж: 'zh',
  з: 'z',
  и: 'y',
  і: 'i',
  ї: 'i',
  й: 'i',
  к: 'k',
  л: 'l',
  м: 'm',
  н: 'n',
  о: 'o',
  п: 'p',
  р: 'r',
  с: 's',
  т: 't',
  у: 'u',
  ф: 'f',
  х: 'kh',
  ц: 'ts',
  ч: 'ch',
  ш: 'sh',
  щ: 'shch',
  ь: '',
  ю: 'iu',
  я: 'ia',
  "'": '',
  '’': '',
  ʼ: '',
}
const FIRST_LETTERS: Record<string, string> = { є: 'ye', ї: 'yi', й: 'y', ю: 'yu', я: 'ya' }

/**
 * Ukrainian to Latin letters, in lower case, by the resolution of the Cabinet of Ministers of Ukraine no. 55 of 27
 * January 2010. Other letters are not changed.
 */
export function transliterate(text: string): string {
  return text
    .toLowerCase()
    .replaceAll('зг', 'zgh')
    .replace(/(?<![\p{L}'’ʼ])[єїйюя]/gu, (letter) => FIRST_LETTERS[letter] ?? letter)
    .replace(/[а-яєіїґ'’ʼ]/gu, (letter) => LETTERS[letter] ?? letter)
}

/** A name in the form of a URL segment: Latin letters, digits, single hyphens; at most 30 characters, may be empty. */
export function slugOf(name: string): string {
  const slug = transliterate(name)
    // NFKD writes the numero sign as the letters "No".
    .replaceAll('№', '-')
    .normalize('NFKD')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
  return trimEndOf(slug.slice(0, 30), '-')
}
