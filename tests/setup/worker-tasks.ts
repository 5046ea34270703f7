import { Refusal } from '#lib/core/http/refusal.ts'

/* Tasks of a worker process with all the outcomes that a parser can have. */

export const double = async ({ value }: { value: number }): Promise<number> => value * 2

export function loopForever(): never {
  for (;;) Math.random()
}

/** Allocates half a gigabyte of small objects. */
export function fillMemory(): number {
  const objects: unknown[] = []
  for (let index = 0; index < 20_000_000; index += 1) objects.push({ index, text: `${index}` })
  return objects.length
}

/** Grows a string beyond its maximum length. */
export function fillText(): number {
  let text = 'text'
  for (;;) text = `${text}${text}`.replace('a', 'b')
}

export function recurse(depth = 0): number {
  return recurse(depth + 1) + 1
}

export function refuse(): never {
  throw new Refusal('unprocessable', { fields: { file: ['import_empty'] }, variables: { path: 'a.html' } })
}

export function fail(): never {
  throw new Error('a defect of the parser')
}

export const environment = (): string[] => Object.keys(process.env)
