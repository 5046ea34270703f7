import ndc, { type PeerConnection, type Track } from 'node-datachannel'
import { createNackGenerator, NACK_INTERVAL_MS } from '#lib/core/broadcast/sfu/nack-generator.ts'
import {
  createNack,
  createPli,
  createReceiverReport,
  isRtcp,
  sequenceOf,
  ssrcOf,
  timestampOf,
} from '#lib/core/broadcast/sfu/rtp.ts'

/*
 * WebRTC clients without a browser: one that publishes generated packets, one that counts complete frames. They use
 * WHIP and WHEP.
 */

export interface StreamRequest {
  url: string
  token: string
  /** Changes the SDP answer before it is applied, e.g. for a relay. */
  through?(answer: string): Promise<string>
  /** Changes the offer before it is sent. */
  changeOffer?(offer: string): string
}

export interface Session {
  connection: PeerConnection
  /** Path of the media session, for DELETE. */
  location: string
  answer: string
  /** ICE servers in the response. */
  links: string | null
  close(): void
}

export class RefusedError extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, code: string) {
    super(`${status} ${code}`)
    this.status = status
    this.code = code
  }
}

export interface TestPublisher extends Session {
  /** Sends a frame of this many packets, and one audio packet. */
  sendFrame(packets?: number, bytes?: number): void
  readonly frames: number
  readonly keyframeRequests: number
  /** Received receiver reports and bitrate estimates. */
  readonly reports: number
}

const PICTURE = { H264: 102, VP8: 96 } as const

/** Publishes by WHIP; `sendFrame` sends. Throws TurnedAway. */
export async function connectPublisher(
  call: StreamRequest,
  codec: 'H264' | 'VP8' = 'H264',
  source = 4200,
): Promise<TestPublisher> {
  const connection = new ndc.PeerConnection('broadcaster', { iceServers: [] })
  const audio = new ndc.Audio('0', 'SendOnly')
  audio.addOpusCodec(111)
  audio.addSSRC(source + 1, 'me', 'me', 'audio')
  const video = pictureOf(codec, 'SendOnly')
  video.addSSRC(source, 'me', 'me', 'video')
  const sound = connection.addTrack(audio)
  const picture = connection.addTrack(video)
  const heard = { keyframes: 0, reports: 0 }
  picture.setMediaHandler(new ndc.RtcpNackResponder(512))
  picture.onMessage((packet) => {
    if (packet[1] === 206 && ((packet[0] ?? 0) & 31) === 1) heard.keyframes += 1
    else heard.reports += 1
  })
  const session = await negotiate(connection, call)
  await waitUntilOpen(picture, sound)
  const sent = { frames: 0, video: source & 0xffff, audio: (source * 7) & 0xffff, time: source * 1000 }

  function sendFrame(packets = 3, bytes = 900): void {
    // Ended by the server.
    if (!picture.isOpen() || !sound.isOpen()) return
    sent.frames += 1
    sent.time += 3000
    for (let at = 0; at < packets; at++) {
      const body = Buffer.alloc(bytes, sent.frames & 255)
      body.writeUInt32BE(sent.frames, 0)
      body.writeUInt16BE(at, 4)
      body.writeUInt16BE(packets, 6)
      picture.sendMessageBinary(rtp(PICTURE[codec], at === packets - 1, sent.video++, sent.time, source, body))
    }
    sound.sendMessageBinary(rtp(111, false, sent.audio++, sent.frames * 960, source + 1, Buffer.alloc(80, 1)))
  }

  return {
    ...session,
    sendFrame,
    get frames() {
      return sent.frames
    },
    get keyframeRequests() {
      return heard.keyframes
    },
    get reports() {
      return heard.reports
    },
  }
}

/** Publishes 1 Mbit/s without end: 30 frames per second of four packets, each with one audio packet. */
export async function publishForever(call: StreamRequest): Promise<void> {
  const publisher = await connectPublisher(call)
  const since = performance.now()
  setInterval(() => {
    const due = Math.floor((performance.now() - since) * 0.03)
    while (publisher.frames < due) publisher.sendFrame(4, 1040)
  }, 10)
}

export interface TestSubscriber extends Session {
  /** Frames whose packets were all received. */
  readonly frames: number
  readonly audioPackets: number
  /** Packets that were not received. */
  readonly lost: number
  readonly recovered: number
  /** Video packets, including repeated ones. */
  readonly packets: number
  /** Distinct SSRCs of the video. */
  readonly sources: ReadonlySet<number>
  /** Numbers of the complete frames of the publisher. */
  readonly completeFrames: readonly number[]
  readonly times: readonly number[]
  readonly reports: number
  requestKeyframe(): void
}

/** Plays by WHEP, requests lost packets and counts complete frames. Throws TurnedAway. */
export async function connectSubscriber(
  call: StreamRequest,
  codecs: readonly ('H264' | 'VP8')[] = ['H264', 'VP8'],
): Promise<TestSubscriber> {
  const connection = new ndc.PeerConnection('watcher', { iceServers: [] })
  const audio = new ndc.Audio('0', 'RecvOnly')
  audio.addOpusCodec(111)
  const video = pictureOf(codecs[0] ?? 'H264', 'SendRecv')
  if (codecs[1]) addCodec(video, codecs[1])
  // An own SSRC, which libdatachannel requires for sending RTCP.
  video.addSSRC(77, 'me', 'me', 'video')
  const sound = connection.addTrack(audio)
  const picture = connection.addTrack(video)
  const missing = createNackGenerator()
  const parts = new Map<number, Set<number>>()
  const counts = { sounds: 0, reports: 0, packets: 0 }
  const sources = new Set<number>()
  const completeFrames: number[] = []
  const times: number[] = []
  let source = 0
  const sendRtcp = (packet: Buffer) => picture.isOpen() && picture.sendMessageBinary(packet)

  sound.onMessage((packet) => {
    if (!isRtcp(packet)) counts.sounds += 1
  })
  picture.onMessage((packet) => {
    if (isRtcp(packet)) {
      counts.reports += 1
      return
    }
    counts.packets += 1
    source = ssrcOf(packet)
    sources.add(source)
    const { missing: gone } = missing.recordPacket(sequenceOf(packet))
    if (gone.length > 0) sendRtcp(createNack(77, source, gone))
    completed(parts, packet, completeFrames, times)
  })
  const reports = setInterval(() => source !== 0 && sendRtcp(createReceiverReport(77, source, NOTHING_LOST)), 1000)
  const turns = setInterval(() => {
    const { sequences } = missing.collectRetries()
    if (sequences.length > 0) sendRtcp(createNack(77, source, sequences))
  }, NACK_INTERVAL_MS)
  const session = await negotiate(connection, call)
  await waitUntilOpen(picture, sound)
  return {
    ...session,
    close() {
      clearInterval(turns)
      clearInterval(reports)
      sound.close()
      session.close()
    },
    get frames() {
      return completeFrames.length
    },
    get audioPackets() {
      return counts.sounds
    },
    get reports() {
      return counts.reports
    },
    get packets() {
      return counts.packets
    },
    get lost() {
      return missing.lost
    },
    get recovered() {
      return missing.recovered
    },
    sources,
    completeFrames,
    times,
    requestKeyframe: () => void sendRtcp(createPli(77, source)),
  }
}

const NOTHING_LOST = {
  fractionLost: 0,
  cumulativeLost: 0,
  highestSequence: 0,
  jitter: 0,
  lastSenderReport: 0,
  sinceSenderReportMs: 0,
}

// A packet contains the number of its frame, its own number and the number of packets.
function completed(parts: Map<number, Set<number>>, packet: Buffer, seen: number[], times: number[]): void {
  const number = packet.readUInt32BE(12)
  const came = parts.get(number) ?? new Set()
  const before = came.size
  parts.set(number, came.add(packet.readUInt16BE(16)))
  if (came.size === before || came.size < packet.readUInt16BE(18)) return
  seen.push(number)
  times.push(timestampOf(packet))
}

function pictureOf(codec: 'H264' | 'VP8', direction: 'SendOnly' | 'SendRecv') {
  const video = new ndc.Video('1', direction)
  addCodec(video, codec)
  return video
}

function addCodec(video: InstanceType<typeof ndc.Video>, codec: 'H264' | 'VP8'): void {
  if (codec === 'H264') {
    video.addH264Codec(PICTURE.H264, 'profile-level-id=42e01f;packetization-mode=1;level-asymmetry-allowed=1')
  } else video.addVP8Codec(PICTURE.VP8)
}

const CANDIDATES = /^a=candidate:.*\r\n/gm

/** Posts an offer and applies the answer. Throws TurnedAway. */
export async function negotiate(
  connection: PeerConnection,
  { url, token, through, changeOffer = (offer) => offer }: StreamRequest,
): Promise<Session> {
  const gathered = new Promise<void>((resolve) => {
    connection.onGatheringStateChange((state) => state === 'complete' && resolve())
  })
  connection.setLocalDescription('offer')
  await gathered
  const headers = { 'content-type': 'application/sdp', authorization: `Bearer ${token}` }
  const { sdp = '' } = connection.localDescription() ?? {}
  // libdatachannel may start the DTLS handshake before it has stored the fingerprint of the answer: no packet may
  // arrive before.
  const response = await fetch(url, { method: 'POST', headers, body: changeOffer(sdp.replace(CANDIDATES, '')) })
  const body = await response.text()
  if (response.status !== 201) {
    connection.close()
    throw new RefusedError(response.status, JSON.parse(body).code)
  }
  const answer = through ? await through(body) : body
  connection.setRemoteDescription(answer.replace(CANDIDATES, ''), 'answer')
  const mid = /^a=mid:(\S+)/m.exec(answer)?.[1] ?? ''
  for (const [line] of answer.matchAll(CANDIDATES)) connection.addRemoteCandidate(line.trim().slice(2), mid)
  return {
    connection,
    answer,
    location: response.headers.get('location') ?? '',
    links: response.headers.get('link'),
    close: () => connection.close(),
  }
}

/** Waits until media can be sent. */
export async function waitUntilOpen(...tracks: Track[]): Promise<void> {
  await Promise.all(
    tracks.map((track) => (track.isOpen() ? null : new Promise<void>((resolve) => track.onOpen(resolve)))),
  )
}

function rtp(payload: number, mark: boolean, sequence: number, time: number, source: number, body: Buffer): Buffer {
  const head = Buffer.alloc(12)
  head[0] = 0x80
  head[1] = (mark ? 0x80 : 0) | payload
  head.writeUInt16BE(sequence & 0xffff, 2)
  head.writeUInt32BE(time >>> 0, 4)
  head.writeUInt32BE(source, 8)
  return Buffer.concat([head, body])
}
