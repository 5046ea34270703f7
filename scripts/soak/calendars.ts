import { spawn } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { readForeignCalendar } from '#lib/core/calendar/busy-times.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { DAY_MS } from '#lib/core/shared/time.ts'

const ZONE = 'Europe/Kyiv'
const PERIOD_MS = 191 * DAY_MS

/**
 * Reads the busy times of every `.ics` file of a folder, e.g. of the test files of ical.js, icalendar and node-ical, and
 * compares them with an independent implementation (Python's recurring_ical_events), in the half years after the first
 * and the last start of an event and in the present one. Prints every difference; which side is right is decided by
 * reading the file. Returns whether every file was read: a file that is no calendar is a result.
 */
export async function soakCalendars(folder: string | undefined): Promise<boolean> {
  if (folder === undefined) {
    console.log('calendars: no folder of .ics files was given, nothing was compared')
    return true
  }
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.toLowerCase().endsWith('.ics'))
  const files = await Promise.all(
    names.sort().map(async (name) => {
      const file = path.join(folder, name)
      const text = await readFile(file, 'utf8')
      return { path: file, text, periods: periodsOf(text) }
    }),
  )
  const references = await readReferences(files.map(({ path: file, periods }) => ({ path: file, periods })))
  if (!references) console.log('calendars: python3 with recurring_ical_events is not installed, nothing was compared')
  const total = { equal: 0, different: 0, refused: 0, uncompared: 0, failed: 0 }
  for (const file of files) {
    const { verdict, lines } = compare(file, references?.get(file.path))
    total[verdict] += 1
    if (lines.length > 0) console.log([path.relative(folder, file.path), ...lines].join('\n  '))
  }
  const counts = Object.entries(total).map(([verdict, count]) => `${verdict} ${count}`)
  console.log(counts.join(', '))
  return total.failed === 0
}

interface ReadFile {
  path: string
  text: string
  periods: [number, number][]
}

function compare({ text, periods }: ReadFile, reference: Reference | undefined) {
  const lines: string[] = []
  try {
    for (const [index, [from, to]] of periods.entries()) {
      const since = performance.now()
      const { times, skipped } = readForeignCalendar({ text, from, to, zone: ZONE })
      const ms = Math.round(performance.now() - since)
      if (ms > 1000) lines.push(`slow: ${ms} ms`)
      if (index === 0 && skipped > 0) lines.push(`skipped ${skipped}`)
      const expected = reference?.times?.[index]
      if (expected) lines.push(...differences(times, join(expected)))
    }
  } catch (error) {
    const isRefused = error instanceof Refusal
    return { verdict: isRefused ? 'refused' : 'failed', lines: isRefused ? [] : [`failed: ${String(error)}`] } as const
  }
  if (!reference?.times)
    return {
      verdict: 'uncompared',
      lines: [...lines, ...(reference?.error ? [`not compared: ${reference.error}`] : [])],
    } as const
  return { verdict: lines.some((line) => /^[+-] /.test(line)) ? 'different' : 'equal', lines } as const
}

function differences(times: readonly Times[number][], expected: readonly Times[number][]): string[] {
  const shown = (list: readonly Times[number][]) =>
    list.map((ends) => ends.map((at) => new Date(at).toISOString().slice(0, 16)).join(' '))
  const [ours, theirs] = [new Set(shown(times)), new Set(shown(expected))]
  const more = [...ours.difference(theirs)].map((time) => `+ ${time}`)
  const less = [...theirs.difference(ours)].map((time) => `- ${time}`)
  return [...more.slice(0, 5), ...less.slice(0, 5)]
}

/** Half a year from a day before the first start, the last one and a fixed day. */
function periodsOf(text: string): [number, number][] {
  const starts = text
    .split('\n')
    .map((line) => /^DTSTART[^:]*:(\d{4})(\d\d)(\d\d)/i.exec(line) ?? [])
    .map(([, year, month, day]) => Date.UTC(Number(year), Number(month) - 1, Number(day)))
    .filter((at) => at > 0)
  const days = new Set([Math.min(...starts), Math.max(...starts), Date.UTC(2026, 10, 28)].filter(Number.isFinite))
  return [...days].map((at) => [at - DAY_MS, at - DAY_MS + PERIOD_MS])
}

const Times = z.array(z.tuple([z.number(), z.number()]))
type Times = z.output<typeof Times>
const Reference = z.object({ path: z.string(), times: z.array(Times).optional(), error: z.string().optional() })
type Reference = z.output<typeof Reference>

async function readReferences(
  files: { path: string; periods: [number, number][] }[],
): Promise<Map<string, Reference> | null> {
  for (const command of PYTHONS) {
    const references = await runPython(command, files)
    if (references) return references
  }
  return null
}

/** Debian's first, whose package the library is. */
const PYTHONS = ['/usr/bin/python3', 'python3']

async function runPython(
  command: string,
  files: { path: string; periods: [number, number][] }[],
): Promise<Map<string, Reference> | null> {
  const python = spawn(command, ['scripts/soak/calendars.py'], { stdio: ['pipe', 'pipe', 'ignore'] })
  const started = await new Promise<boolean>((resolve) => {
    python.on('spawn', () => resolve(true))
    python.on('error', () => resolve(false))
  })
  if (!started) return null
  python.stdin.on('error', () => undefined)
  python.stdin.end(JSON.stringify({ zone: ZONE, files }))
  let output = ''
  for await (const chunk of python.stdout) output += String(chunk)
  const lines = output.split('\n').filter((line) => line !== '')
  if (lines.length === 0 && files.length > 0) return null
  return new Map(lines.map((line) => Reference.parse(JSON.parse(line))).map((reference) => [reference.path, reference]))
}

function join(times: readonly [number, number][]): [number, number][] {
  const joined: [number, number][] = []
  for (const [from, to] of times) {
    const last = joined.at(-1)
    if (last && from <= last[1]) last[1] = Math.max(last[1], to)
    else joined.push([from, to])
  }
  return joined
}
