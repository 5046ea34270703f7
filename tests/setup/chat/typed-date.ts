/** A time in two days, as it is typed into a field. */
export function typedInTwoDays(): string {
  const [year, month, day] = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10).split('-')
  return `${day}.${month}.${year} 09:00`
}
