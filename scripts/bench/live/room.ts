import { type ChildProcess, fork } from 'node:child_process'
import path from 'node:path'
import { atEnd } from '../processes.ts'
import { limitRow, type Row, type Section } from '../report.ts'
import type { ArrivalReport, Order } from './room-crowd.ts'
import { type RoomEvent, type RoomStage, setRoomStage } from './room-stage.ts'

const VIEWERS = 1000
const RATE = 200
const FEW = 10
const TIMEOUT_MS = 60_000

/**
 * A room with a thousand viewers in one process: entering, 200 messages a second, a poll, a network failure for half of
 * them, a killed process. `seconds`: how long messages are sent; a minute in the soak test.
 */
export async function crowdedRoom(seconds = 15): Promise<Section> {
  const stage = await setRoomStage()
  const target = { port: stage.port, host: stage.host }
  const few = await filled(stage, FEW)
  await few.crowd({ op: 'begin' })
  await few.crowd({ op: 'speak', rate: RATE / 10, seconds: 5 })
  const small = await few.crowd<ArrivalReport>({ op: 'arrivals', timeoutMs: TIMEOUT_MS })
  few.end()

  const event = await stage.event(VIEWERS)
  const host = await hostOf(stage, event)
  await host('start', {})
  const viewers = openCrowd()
  const joined = await viewers.crowd<{ seconds: number }>({
    op: 'join',
    target,
    workshopId: event.workshopId,
    keys: event.keys,
    atOnce: 40,
  })
  const rows = [limitRow(`${VIEWERS} come in by their links, page and stream`, joined.seconds, ' s', 30, 1)]

  await viewers.crowd({ op: 'begin' })
  await viewers.crowd({ op: 'speak', rate: RATE, seconds })
  const talk = await viewers.crowd<ArrivalReport>({ op: 'arrivals', timeoutMs: TIMEOUT_MS })
  rows.push(
    limitRow(`room of ${FEW}: message to listener, p50`, small.p50, ' ms', null),
    limitRow(`room of ${VIEWERS}, ${RATE} messages/s for ${seconds} s: p95`, talk.p95, ' ms', small.p50 * 20),
    ...deliveryRows('while they talk', talk),
    limitRow('streams dropped', talk.dropped, '', 0),
  )

  await host('openPoll', { pollId: event.pollId })
  const voted = await viewers.crowd<{ seconds: number }>({ op: 'vote', pollId: event.pollId, atOnce: 200 })
  await host('closePoll', { pollId: event.pollId })
  const room = await host('getRoom', {})
  const after = await viewers.crowd<ArrivalReport>({ op: 'arrivals', timeoutMs: 1000 })
  rows.push(
    limitRow(`votes of ${VIEWERS} that were not counted`, VIEWERS - room.tally.voters, '', 0),
    limitRow('the last vote is answered after', voted.seconds, ' s', null, 1),
    limitRow('viewers lost over the poll', VIEWERS - after.open, '', 0),
  )

  rows.push(...(await halfLost(viewers, seconds)), ...(await killed(stage, viewers)))
  viewers.end()
  return {
    title: 'A crowded room',
    note: `${VIEWERS} viewers with open streams in one process, each message a row, an event and ${VIEWERS} deliveries; the viewers are a separate process on the same cores.`,
    rows,
  }
}

async function halfLost({ crowd }: Crowd, seconds: number): Promise<Row[]> {
  await crowd({ op: 'begin' })
  await crowd({ op: 'cut', share: 0.5 })
  const talk = crowd({ op: 'speak', rate: RATE / 4, seconds: Math.max(8, seconds / 4) })
  await new Promise((resolve) => setTimeout(resolve, 5000))
  await crowd({ op: 'back' })
  await talk
  const arrivals = await crowd<ArrivalReport>({ op: 'arrivals', timeoutMs: TIMEOUT_MS })
  const states = await crowd<string[]>({ op: 'states' })
  return [
    ...deliveryRows('half cut off for 5 s', arrivals),
    limitRow('viewers who did not come back', VIEWERS - arrivals.open, '', 0),
    limitRow('different states of the room', states.length, '', 1),
  ]
}

async function killed(stage: RoomStage, { crowd }: Crowd): Promise<Row[]> {
  await crowd({ op: 'begin' })
  const talk = crowd<{ sent: number; retried: number }>({ op: 'speak', rate: RATE / 4, seconds: 12 })
  await new Promise((resolve) => setTimeout(resolve, 3000))
  const since = performance.now()
  await stage.restart()
  const away = (performance.now() - since) / 1000
  const { retried } = await talk
  const arrivals = await crowd<ArrivalReport>({ op: 'arrivals', timeoutMs: TIMEOUT_MS })
  const states = await crowd<string[]>({ op: 'states' })
  return [
    limitRow('process killed: the next one serves after', away, ' s', null, 1),
    limitRow('messages that had to be sent again', retried, '', null),
    ...deliveryRows('process killed', arrivals),
    limitRow('viewers who did not come back', VIEWERS - arrivals.open, '', 0),
    limitRow('different states of the room', states.length, '', 1),
  ]
}

const deliveryRows = (when: string, { missing, twice, disordered, reread }: ArrivalReport): Row[] => [
  limitRow(`${when}: messages that somebody missed`, missing, '', 0),
  limitRow(`${when}: messages that somebody got twice`, twice, '', 0),
  limitRow(`${when}: messages out of order`, disordered, '', 0),
  limitRow(`${when}: streams that could not be resumed`, reread, '', null),
]

interface Crowd {
  crowd<T = unknown>(order: Order): Promise<T>
  end(): void
}

async function filled(stage: RoomStage, people: number): Promise<Crowd> {
  const event = await stage.event(people)
  const host = await hostOf(stage, event)
  await host('start', {})
  const crowd = openCrowd()
  const target = { port: stage.port, host: stage.host }
  await crowd.crowd({ op: 'join', target, workshopId: event.workshopId, keys: event.keys, atOnce: 10 })
  return crowd
}

function openCrowd(): Crowd {
  const child: ChildProcess = fork(path.join(import.meta.dirname, 'room-crowd.ts'), { execArgv: [] })
  const questions = new Map<number, { resolve(value: never): void; reject(error: Error): void }>()
  let requestId = 0
  child.on('message', (response: { answer: number; value?: unknown; error?: string }) => {
    const question = questions.get(response.answer)
    questions.delete(response.answer)
    if (response.error) question?.reject(new Error(response.error))
    else question?.resolve(response.value as never)
  })
  const end = () => void child.kill('SIGKILL')
  atEnd(end)
  return {
    end,
    crowd: (order) =>
      new Promise((resolve, reject) => {
        questions.set(++requestId, { resolve, reject })
        child.send({ question: requestId, order })
      }),
  }
}

/** Actions of the event's host by the API, as in the room's page. */
async function hostOf({ port, host, school }: RoomStage, { workshopId }: RoomEvent) {
  const headers = { host, cookie: `token=${school.ownerToken}`, accept: 'application/json, text/html' }
  const page = await ask(port, 'GET', `/meeting/join/${workshopId}`, headers)
  const seatToken = /"seatToken":\[0,"([\w-]{91})"\]/.exec(page.replaceAll('&quot;', '"'))?.[1]
  if (!seatToken) throw new Error(`the host finds no room: ${page.slice(0, 300)}`)
  return async (action: string, input: object) => {
    const reads = action.startsWith('get')
    const body = { ...input, seatToken }
    const where = `/v1/module/meeting/${action}`
    const answer = reads
      ? await ask(port, 'GET', `${where}?${new URLSearchParams(body)}`, headers)
      : await ask(port, 'POST', where, headers, body)
    return JSON.parse(answer)
  }
}

async function ask(port: number, method: string, where: string, headers: Record<string, string>, body?: object) {
  const { default: http } = await import('node:http')
  const payload = body ? JSON.stringify(body) : undefined
  const sent = { ...headers, ...(payload ? { 'content-type': 'application/json' } : {}) }
  return new Promise<string>((resolve, reject) => {
    const request = http.request({ host: '127.0.0.1', port, method, path: where, headers: sent }, (response) => {
      const pieces: Buffer[] = []
      response.on('data', (piece: Buffer) => pieces.push(piece))
      response.on('end', () => {
        const text = Buffer.concat(pieces).toString('utf8')
        if ((response.statusCode ?? 500) >= 400)
          reject(new Error(`${where}: ${response.statusCode} ${text.slice(0, 300)}`))
        else resolve(text)
      })
    })
    request.on('error', reject)
    request.end(payload)
  })
}
