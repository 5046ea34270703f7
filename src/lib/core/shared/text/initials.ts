/** Initials of a name: the first letters of its first two words in upper case, «ОК» for «Олена Коваль». */
export function initialsOf(name: string): string {
  const letters = name
    .split(/\s+/u)
    .map((word) => word.match(/[\p{L}\p{N}]/u)?.[0] ?? '')
    .filter((letter) => letter !== '')
  return letters.slice(0, 2).join('').toLocaleUpperCase('uk') || '·'
}
