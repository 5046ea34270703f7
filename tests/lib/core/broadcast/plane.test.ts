import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { newId } from '#lib/core/db/id.ts'
import { broadcastDoor } from '#lib/core/broadcast/broadcast-door.ts'
import { status, stopBroadcast } from '#lib/core/broadcast/broadcast.ts'
import { type Direction, signStream } from '#lib/core/broadcast/stream-ticket.ts'
import { type Broadcaster, broadcast, watch } from '../../../setup/broadcaster.ts'
import { type DoorFront, doorFront } from '../../../setup/door-front.ts'

let door: DoorFront
beforeAll(async () => {
  door = await doorFront({ '/v1/broadcast/': broadcastDoor })
})
afterAll(async () => {
  await stopBroadcast()
  await door.front.drain(50)
})
const closing: { close(): void }[] = []
afterEach(() => {
  for (const one of closing.splice(0)) one.close()
})

test('plays', async () => {
  const room = newId()
  const one = await broadcast(call(room, 'publish'))
  const stop = setInterval(() => one.frame(), 33)
  closing.push(one, { close: () => clearInterval(stop) })
  const viewer = await watch(call(room, 'play'))
  console.log(one.answer)
  closing.push(viewer)
  await expect.poll(() => viewer.frames, { timeout: 8000 }).toBeGreaterThan(30)
  console.log(await status(), viewer.lost, viewer.sounds, viewer.reports, one.keyframesAsked, one.reports)
})

function call(room: string, direction: Direction, stream = 'camera') {
  const now = Math.floor(Date.now() / 1000)
  const token = signStream({ tenantId: 't', room, person: 'p', stream, direction }, { issued: now, expires: now + 60 })
  return { url: `http://127.0.0.1:${door.port}/v1/broadcast/${direction === 'play' ? 'whep' : 'whip'}/${room}/${stream}`, token }
}
