import { type ChildProcess, spawn } from 'node:child_process'
import dgram from 'node:dgram'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { MediaKind, PacketSource, VideoCodec } from '#lib/core/broadcast/frames/packet-source.ts'
import { isRtcp } from '#lib/core/broadcast/sfu/rtp.ts'

const FFMPEG = process.env.FFMPEG_PATH ?? 'ffmpeg'

export interface RtpPublisherOptions {
  codec: VideoCodec | null
  sound?: boolean
  /** Filters behind `testsrc2`, and of the tone; `t` is in seconds since the beginning. */
  picture?: string
  tone?: string
  size?: string
  /** Share of video packets that never come, 0 to 1. */
  loss?: number
  /** Seconds; without it, until it is ended. */
  seconds?: number
}

export interface RtpPublisher extends PacketSource {
  /** Wall clock, in ms, of the first packet. */
  began(): number
  end(): Promise<void>
}

/**
 * A publisher as the media plane shows it to its taps: what ffmpeg makes at its own pace, as RTP, with a key frame a
 * second.
 */
export async function startRtpPublisher({ codec, sound = true, ...about }: RtpPublisherOptions): Promise<RtpPublisher> {
  const kinds: MediaKind[] = [...(sound ? ['audio' as const] : []), ...(codec ? ['video' as const] : [])]
  const listeners = new Set<(kind: MediaKind, packet: Buffer) => void>()
  const enders = new Set<() => void>()
  const sockets = await Promise.all(kinds.map(() => open()))
  let began = 0
  let seen = 0
  for (const [at, socket] of sockets.entries()) {
    const kind = kinds[at] ?? 'audio'
    socket.on('message', (packet) => {
      if (isRtcp(packet)) return
      began ||= Date.now()
      if (kind === 'video' && about.loss && seen++ % Math.round(1 / about.loss) === 7) return
      for (const listener of listeners) listener(kind, packet)
    })
  }
  const ports = sockets.map((socket) => (socket.address() as AddressInfo).port)
  const child = send(kinds, ports, codec, about)
  const gone = once(child, 'close').then(() => {
    for (const ender of enders) ender()
  })
  return {
    codec,
    kinds,
    onPacket: (listener) => addListener(listeners, listener),
    onEnd: (listener) => addListener(enders, listener),
    requestKeyframe() {},
    began: () => began,
    async end() {
      child.kill('SIGKILL')
      await gone
      for (const socket of sockets) socket.close()
    },
  }
}

function addListener<T>(all: Set<T>, listener: T): () => void {
  all.add(listener)
  return () => void all.delete(listener)
}

async function open(): Promise<dgram.Socket> {
  const socket = dgram.createSocket({ type: 'udp4', recvBufferSize: 4 * 1024 ** 2 })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return socket
}

function send(
  kinds: MediaKind[],
  ports: number[],
  codec: VideoCodec | null,
  about: Omit<RtpPublisherOptions, 'codec'>,
): ChildProcess {
  const { picture, tone, size = '320x180', seconds } = about
  const many = seconds === undefined ? [] : ['-t', String(seconds)]
  const sources = kinds.flatMap((kind) =>
    kind === 'video'
      ? ['-re', '-f', 'lavfi', '-i', `testsrc2=size=${size}:rate=25${picture ? `,${picture}` : ''}`]
      : ['-re', '-f', 'lavfi', '-i', tone ?? 'sine=frequency=440:sample_rate=48000'],
  )
  const outputs = kinds.flatMap((kind, at) => [
    '-map',
    `${at}:0`,
    ...many,
    ...(kind === 'video' ? pictureArgs(codec) : SOUND),
    '-f',
    'rtp',
    `rtp://127.0.0.1:${ports[at]}?pkt_size=1200`,
  ])
  return spawn(FFMPEG, ['-v', 'error', ...sources, ...outputs], { stdio: ['ignore', 'ignore', 'inherit'] })
}

const SOUND = ['-c:a', 'libopus', '-ac', '2', '-b:a', '64k', '-payload_type', '111']

function pictureArgs(codec: VideoCodec | null): string[] {
  const rate = ['-g', '25', '-b:v', '500k', '-pix_fmt', 'yuv420p', '-payload_type', '96']
  if (codec === 'VP8')
    return ['-c:v', 'libvpx', '-deadline', 'realtime', '-cpu-used', '8', '-lag-in-frames', '0', ...rate]
  const x264 = ['-preset', 'ultrafast', '-tune', 'zerolatency', '-profile:v', 'baseline']
  return ['-c:v', 'libx264', ...x264, '-x264-params', 'repeat-headers=1:scenecut=0', ...rate]
}
