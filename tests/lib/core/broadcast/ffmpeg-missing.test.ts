import { readdir } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#lib/core/db/id.ts'
import type { BroadcastServer } from '../../../setup/media/broadcast-server.ts'
import type { EndpointServer } from '../../../setup/meeting/endpoint-server.ts'

// Read by the configuration, which is evaluated once by the imports below.
process.env.FFMPEG_PATH = '/nowhere/ffmpeg'
let broadcastServer: BroadcastServer
let endpoint: EndpointServer
beforeAll(async () => {
  const { startBroadcastServer } = await import('../../../setup/media/broadcast-server.ts')
  const { startEndpointServer } = await import('../../../setup/meeting/endpoint-server.ts')
  const { hlsEndpoint } = await import('#lib/core/broadcast/hls/hls-endpoint.ts')
  broadcastServer = await startBroadcastServer()
  endpoint = await startEndpointServer({ '/v1/hls/': hlsEndpoint(async () => true) })
})
afterAll(async () => {
  await endpoint.httpServer.drain(50)
  broadcastServer.clear()
  await broadcastServer.close()
})

test('without ffmpeg a recording is denied with a reason and not started', async () => {
  const { canRecord, startRecording } = await import('#lib/core/broadcast/recording/recording.ts')
  const { recordingDirectory } = await import('#lib/core/broadcast/recording/recording-requests.ts')
  const { listRecordingRequests } = await import('#lib/core/broadcast/recording/recording-requests.ts')
  const room = newId()
  expect(await canRecord()).toEqual({ allow: false, reason: 'no_ffmpeg' })
  expect(await startRecording(room)).toEqual({ allow: false, reason: 'no_ffmpeg' })
  expect(await listRecordingRequests()).toEqual([])
  await expect(readdir(recordingDirectory(room))).rejects.toMatchObject({ code: 'ENOENT' })
})

test('without ffmpeg composing a recording fails with `stopped`', async () => {
  const { composeRecording } = await import('#lib/core/broadcast/recording/compose.ts')
  const span = { since: new Date(0), until: new Date(1000) }
  const composed = composeRecording('/nowhere', span, '/nowhere/video.mp4', { signal: new AbortController().signal })
  await expect(composed).rejects.toMatchObject({ fault: 'stopped', stderrTail: 'there is no ffmpeg' })
})

test('without ffmpeg a stream plays by WebRTC and its HLS is 404', async () => {
  const { hlsBaseUrl } = await import('#lib/core/broadcast/hls/hls-token.ts')
  const room = newId()
  await broadcastServer.startPublisher(broadcastServer.requestFor(room, 'publish', 'p-camera'), 'VP8')
  const address = `http://127.0.0.1:${endpoint.port}${hlsBaseUrl({ tenantId: newId(), room, participant: newId() })}p-camera/live.m3u8`
  expect((await fetch(address)).status).toBe(404)
})
