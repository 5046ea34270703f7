import { spawn } from 'node:child_process'
import path from 'node:path'
import { createInterface } from 'node:readline'
import {
  useH264 as h264,
  MediaStreamTrack,
  useOPUS as opus,
  RTCPeerConnection,
  RtpHeader,
  RtpPacket,
  useVP8 as vp8,
} from 'werift'
import { RefusedError, type StreamRequest } from './webrtc-clients.ts'

/* WHIP and WHEP clients of other WebRTC implementations than the product's and the browser's. */

export interface ThirdPartyClient {
  /** Packets of each kind that were sent or received. */
  packets(): { audio: number; video: number }
  close(): Promise<void>
}

export type Mode = 'publish' | 'play'
export type VideoChoice = 'H264' | 'VP8'

/** Unmodified aiortc (Python). Rejects with TurnedAway. */
export async function connectAiortc(
  mode: Mode,
  { url, token }: StreamRequest,
  codec?: VideoChoice,
): Promise<ThirdPartyClient> {
  const python = process.env.AIORTC_PYTHON || '/usr/bin/python3'
  const program = path.resolve('tests/setup/media/aiortc-client.py')
  const child = spawn(python, [program, mode, url, token, ...(codec ? [codec] : [])], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const lines = createInterface(child.stdout)
  let printed = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    printed = (printed + text).slice(-2000)
  })
  let counts = { audio: 0, video: 0 }
  const begun = Promise.withResolvers<void>()
  child.once('error', begun.reject)
  child.once('exit', (code) => begun.reject(new Error(`aiortc ended with ${code}: ${printed}`)))
  lines.on('line', (line) => {
    const report = JSON.parse(line)
    if (typeof report.status === 'number')
      return begun.reject(new RefusedError(report.status, JSON.parse(report.body).code))
    counts = report
    begun.resolve()
  })
  await begun.promise
  return {
    packets: () => counts,
    async close() {
      child.kill('SIGKILL')
      await exited
    },
  }
}

const CODECS = { H264: h264, VP8: vp8 }

/** The offer of werift for publishing. */
export async function createWeriftOffer(): Promise<string> {
  const connection = new RTCPeerConnection({ codecs: { audio: [opus()], video: [h264(), vp8()] } })
  for (const kind of ['audio', 'video'] as const) connection.addTransceiver(kind, { direction: 'sendonly' })
  await connection.setLocalDescription(await connection.createOffer())
  const { sdp = '' } = connection.localDescription ?? {}
  await connection.close()
  return sdp
}

/** Unmodified werift (TypeScript); a publisher sends 30 frames per second. Rejects with TurnedAway. */
export async function connectWerift(
  mode: Mode,
  call: StreamRequest,
  codec: VideoChoice = 'VP8',
): Promise<ThirdPartyClient> {
  const connection = new RTCPeerConnection({ codecs: { audio: [opus()], video: [CODECS[codec]()] } })
  const counts = { audio: 0, video: 0 }
  let beat: NodeJS.Timeout | undefined
  if (mode === 'publish') {
    const tracks = (['audio', 'video'] as const).map((kind) => ({ kind, track: new MediaStreamTrack({ kind }) }))
    for (const { track } of tracks) connection.addTransceiver(track, { direction: 'sendonly' })
    let sequence = 1
    beat = setInterval(() => {
      if (connection.connectionState !== 'connected') return
      sequence += 1
      for (const { kind, track } of tracks) {
        const header = new RtpHeader({ sequenceNumber: sequence & 0xffff, timestamp: sequence * 3000, marker: true })
        track.writeRtp(new RtpPacket(header, Buffer.alloc(200, 1)))
        counts[kind] += 1
      }
    }, 33)
  } else {
    connection.addTransceiver('audio', { direction: 'recvonly' })
    connection.addTransceiver('video', { direction: 'recvonly' })
    connection.onTrack.subscribe((track) =>
      track.onReceiveRtp.subscribe(() => {
        counts[track.kind === 'audio' ? 'audio' : 'video'] += 1
      }),
    )
  }
  const close = async () => {
    clearInterval(beat)
    await connection.close()
  }
  await connection.setLocalDescription(await connection.createOffer())
  const headers = { 'content-type': 'application/sdp', authorization: `Bearer ${call.token}` }
  const response = await fetch(call.url, { method: 'POST', headers, body: connection.localDescription?.sdp ?? '' })
  const body = await response.text()
  if (response.status !== 201) {
    await close()
    throw new RefusedError(response.status, JSON.parse(body).code)
  }
  await connection.setRemoteDescription({ type: 'answer', sdp: body })
  return { packets: () => ({ ...counts }), close }
}
