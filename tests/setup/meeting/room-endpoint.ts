import { once } from 'node:events'
import http from 'node:http'
import { createRequest, writeResponse } from 'astro/app/node'
import { expect, vi } from 'vitest'
import { Refusal } from '#lib/core/http/refusal.ts'
import { openRoomStream } from '#lib/meeting/stream.ts'
import { connectLiveClient, type LiveClient } from '../media/live-client.ts'
import { portOf } from '../servers/port.ts'

export interface RoomEndpoint {
  /** Opens a participant's stream of the room; resumes after an event. */
  open(seatToken: string, lastEventId?: number): Promise<LiveClient>
  /** Opens it and waits until it has begun. */
  ready(seatToken: string): Promise<LiveClient>
  close(): void
}

/** The endpoint of the room streams on a free port. */
export async function startRoomEndpoint(): Promise<RoomEndpoint> {
  const opened: LiveClient[] = []
  const server = http.createServer((request, response) => {
    openRoomStream(createRequest(request), { response })
      .catch((error: unknown) => {
        if (!(error instanceof Refusal)) throw error
        return Response.json({ code: error.code }, { status: error.status })
      })
      .then((answer) => writeResponse(answer, response))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const open = async (seatToken: string, lastEventId?: number) => {
    const resume: Record<string, string> = lastEventId === undefined ? {} : { lastEventId: String(lastEventId) }
    const listener = await connectLiveClient(portOf(server), String(new URLSearchParams({ seatToken, ...resume })))
    opened.push(listener)
    return listener
  }
  return {
    open,
    async ready(seatToken) {
      const listener = await open(seatToken)
      await vi.waitFor(() => expect(listener.events[0]?.event).toBe('ready'), 10_000)
      listener.events.shift()
      return listener
    },
    close() {
      for (const listener of opened) listener.close()
      server.closeAllConnections()
      server.close()
    },
  }
}

/** All events received by a listener, in order of arrival. */
export const receivedEvents = (
  listener: LiveClient,
): { seq: number; type: string; payload: Record<string, unknown> }[] =>
  listener.events.flatMap(({ data }) => Object(data.payload).events ?? [])
