/*
 * The lines and components of a calendar file (RFC 5545, 3.1 and 3.4), read tolerantly: a missing END, an unknown line
 * or a wrong nesting affects its own component only.
 */

/** A property, e.g. `DTSTART;TZID=Europe/Kyiv:20261201T100000`. */
export interface ContentLine {
  /** In capitals. */
  name: string
  /** By names in capitals, without quotation marks. */
  params: ReadonlyMap<string, string>
  value: string
}

export interface CalendarComponent {
  /** In capitals, e.g. VEVENT. */
  name: string
  lines: ContentLine[]
  /** The unfolded lines, for components that a library reads. */
  texts: string[]
  children: CalendarComponent[]
}

/**
 * The calendars of a file (VCALENDAR), with the components of each. Empty when the text is none. A component ends at its
 * END, where the next one of its level begins, or at the end of the file. Events without a calendar are in one.
 */
export function readCalendars(text: string): CalendarComponent[] {
  const calendars: CalendarComponent[] = []
  // The open components, the calendar first.
  let open: CalendarComponent[] = []
  for (const unfolded of unfoldLines(text)) {
    const line = readContentLine(unfolded)
    if (!line) continue
    const kind = line.value.trim().toUpperCase()
    if (line.name === 'BEGIN') {
      const component: CalendarComponent = { name: kind, lines: [], texts: [], children: [] }
      if (kind === 'VCALENDAR') {
        calendars.push(component)
        open = [component]
        continue
      }
      if (TOP_LEVEL.has(kind)) open = [open[0] ?? startCalendar(calendars)]
      open.at(-1)?.children.push(component)
      if (open.length > 0) open.push(component)
    } else if (line.name === 'END') {
      const at = open.findLastIndex(({ name }) => name === kind)
      if (at >= 0) open = open.slice(0, at)
    } else {
      const owner = ownerOf(line, open)
      owner?.lines.push(line)
      owner?.texts.push(unfolded)
    }
  }
  return calendars
}

/** A calendar whose BEGIN is missing. */
function startCalendar(calendars: CalendarComponent[]): CalendarComponent {
  const calendar: CalendarComponent = { name: 'VCALENDAR', lines: [], texts: [], children: [] }
  calendars.push(calendar)
  return calendar
}

/** Components that are never inside another one except the calendar. */
const TOP_LEVEL: ReadonlySet<string> = new Set([
  'VEVENT',
  'VTODO',
  'VJOURNAL',
  'VFREEBUSY',
  'VTIMEZONE',
  'VAVAILABILITY',
])
/** Properties that an alarm does not have: after them, the END of the alarm is missing. */
const NOT_IN_ALARMS: ReadonlySet<string> = new Set([
  'DTSTART',
  'DTEND',
  'RRULE',
  'RDATE',
  'EXDATE',
  'RECURRENCE-ID',
  'TRANSP',
])

function ownerOf({ name }: ContentLine, open: readonly CalendarComponent[]): CalendarComponent | undefined {
  const last = open.at(-1)
  return last?.name === 'VALARM' && NOT_IN_ALARMS.has(name) ? open.at(-2) : last
}

/** The text of a component for a library, with END lines where they are missing. */
export function writeComponent({ name, texts, children }: CalendarComponent): string {
  return [`BEGIN:${name}`, ...texts, ...children.map(writeComponent), `END:${name}`].join('\r\n')
}

function* unfoldLines(text: string): Generator<string> {
  let line: string[] = []
  for (const part of text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/)) {
    if (line.length > 0 && (part.startsWith(' ') || part.startsWith('\t'))) {
      line.push(part.slice(1))
      continue
    }
    if (line.length > 0) yield line.join('')
    line = part.trim() === '' ? [] : [part.replace(/^\uFEFF/, '')]
  }
  if (line.length > 0) yield line.join('')
}

/** The name, parameters and value of a line; null when it is none. Colons and semicolons in quotation marks count as text. */
function readContentLine(line: string): ContentLine | null {
  const params = new Map<string, string>()
  let name = ''
  let partStart = 0
  let isQuoted = false
  for (let at = 0; at < line.length; at += 1) {
    const character = line[at]
    if (character === '"') isQuoted = !isQuoted
    if (isQuoted || (character !== ';' && character !== ':')) continue
    const part = line.slice(partStart, at)
    // Some programs write names of zones with colons and without quotation marks.
    if (character === ':' && part.startsWith('TZID=') && !/^\s*\d{4}-?\d{2}/.test(line.slice(at + 1, at + 20))) continue
    if (partStart === 0) name = part.trim().toUpperCase()
    else addParameter(params, part)
    if (character === ':') return name === '' ? null : { name, params, value: line.slice(at + 1) }
    partStart = at + 1
  }
  return null
}

function addParameter(params: Map<string, string>, part: string): void {
  const equals = part.indexOf('=')
  if (equals < 0) return
  params.set(part.slice(0, equals).trim().toUpperCase(), part.slice(equals + 1).replaceAll('"', ''))
}
