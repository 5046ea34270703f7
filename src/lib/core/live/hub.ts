import { randomInt } from 'node:crypto'
import { log } from '../log.ts'
import { eventFrame, type Frame, HEARTBEAT, readyFrame, resetFrame } from './frame.ts'
import { hear, type Notice, type Wire } from './notice.ts'
import { readEvents, type Said } from './said.ts'
import { end, type Stream, write } from './stream.ts'

/** The streams of one school in this process, and how far its events have been read. */
interface School {
  tenantId: string
  position: number | null
  channels: Map<string, Set<Stream>>
  joining: Stream[]
  reading: boolean
  /** Something was said while reading. */
  stale: boolean
}

const schools = new Map<string, School>()
const streams = new Set<Stream>()
let wire: Promise<Wire> | undefined
let pulse: NodeJS.Timeout | undefined

/** How many streams and schools this process holds. */
export const countStreams = (): { streams: number; schools: number } => ({
  streams: streams.size,
  schools: schools.size,
})

/** Makes sure that this process hears what others say; fails when the database does not answer. */
export async function listen(): Promise<void> {
  wire ??= hear({ notice, gap })
  try {
    await wire
  } catch (error) {
    wire = undefined
    throw error
  }
}

/** Takes a stream in: it gets what it missed, or word that this is too much, and then all that is said. */
export function join(stream: Stream): void {
  const school = schools.get(stream.tenantId) ?? begin(stream.tenantId)
  for (const channel of stream.channels) {
    const listeners = school.channels.get(channel) ?? new Set()
    school.channels.set(channel, listeners.add(stream))
  }
  streams.add(stream)
  school.joining.push(stream)
  pulse ??= setInterval(beat, 5000).unref()
  void read(school)
}

export function leave(stream: Stream): void {
  if (!streams.delete(stream)) return
  const school = schools.get(stream.tenantId)
  for (const channel of stream.channels) {
    const listeners = school?.channels.get(channel)
    listeners?.delete(stream)
    if (listeners?.size === 0) school?.channels.delete(channel)
  }
  if (school?.channels.size === 0) schools.delete(stream.tenantId)
  stream.closed?.()
  if (streams.size > 0) return
  clearInterval(pulse)
  pulse = undefined
}

/** Ends all streams, e.g. when the process stops, and stops listening. Browsers come back to whoever serves then. */
export async function closeStreams(): Promise<void> {
  for (const stream of streams) drop(stream)
  const hearing = wire
  wire = undefined
  await hearing?.then(
    (open) => open.close(),
    () => {},
  )
}

function begin(tenantId: string): School {
  const school: School = { tenantId, position: null, channels: new Map(), joining: [], reading: false, stale: false }
  schools.set(tenantId, school)
  return school
}

function notice(said: Notice): void {
  if ('cut' in said) cut(said.cut)
  else hint(said)
}

function hint({ t, c, i }: { t: string; c: string; i: number }): void {
  const school = schools.get(t)
  if (school?.channels.has(c) && i > (school.position ?? 0)) void read(school)
}

function cut({ userId, sessionId }: { userId?: string; sessionId?: string }): void {
  for (const stream of streams) {
    const meant = (userId ?? stream.userId) === stream.userId && (sessionId ?? stream.sessionId) === stream.sessionId
    if (meant) drop(stream)
  }
}

// Events can be read again, but an order to cut may be lost: all are authorised anew, a few at a time.
function gap(): void {
  for (const school of schools.values()) void read(school)
  for (const stream of streams) stream.endsAt = Date.now() + randomInt(10_000)
}

let beats = 0

function beat(): void {
  const now = Date.now()
  const sound = ++beats % 4 === 0
  for (const stream of streams) if (stream.endsAt < now || (sound && !write(stream, HEARTBEAT))) drop(stream)
}

function drop(stream: Stream): void {
  leave(stream)
  end(stream)
}

async function read(school: School): Promise<void> {
  school.stale = true
  if (school.reading) return
  school.reading = true
  try {
    while (school.stale) {
      school.stale = false
      await advance(school)
    }
  } catch (error) {
    log.error({ err: error }, 'live events could not be read')
    setTimeout(() => void read(school), 1000).unref()
  } finally {
    school.reading = false
  }
}

// One query for all streams of a school, and each event becomes bytes once.
async function advance(school: School): Promise<void> {
  const joining = [...school.joining]
  const resumes = joining.flatMap(({ resume }) => (resume === null ? [] : [resume]))
  const from = { position: school.position, resumes: joining.length > 0 ? resumes : null }
  const said = await readEvents(school.tenantId, [...school.channels.keys()], from)
  school.joining.splice(0, joining.length)
  school.position = said.position
  for (const stream of joining) if (streams.has(stream)) admit(stream, said)
  if (said.cutOff)
    for (const listeners of school.channels.values()) for (const stream of listeners) catchUp(stream, said)
  for (const { id, channel, payload } of said.events) {
    const frame = eventFrame(id, channel, payload)
    for (const stream of school.channels.get(channel) ?? []) if (id > stream.after) give(stream, id, frame)
  }
}

function admit(stream: Stream, { start, known }: Said): void {
  if (stream.resume !== null && known.has(stream.resume)) stream.after = stream.resume
  else give(stream, start, stream.resume === null ? readyFrame(start) : resetFrame(start))
  stream.ready?.()
}

// More was said than is worth sending again.
function catchUp(stream: Stream, { events, position }: Said): void {
  if (stream.after < (events[0]?.id ?? 0)) give(stream, position, resetFrame(position))
}

function give(stream: Stream, id: number, frame: Frame): void {
  stream.after = id
  if (!write(stream, frame)) drop(stream)
}
