/** «Олена Коваль» to «ОК»: the first letters of the first two words, upper case. */
export function initialsOf(name: string): string {
  const letters = name
    .split(/\s+/u)
    .map((word) => word.match(/[\p{L}\p{N}]/u)?.[0] ?? '')
    .filter((letter) => letter !== '')
  return letters.slice(0, 2).join('').toLocaleUpperCase('uk') || '·'
}
