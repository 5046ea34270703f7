import ndc from 'node-datachannel'
import type { RtpPublisher } from './rtp-publisher.ts'
import { negotiate, type StreamRequest, waitUntilOpen } from './webrtc-clients.ts'

const SOURCES = { audio: 611, video: 610 } as const
const PAYLOADS = { audio: 111, video: 96 } as const

/** Publishes real picture and sound by WHIP: what `publish` of rtp.ts makes. Gives its end. Rejects when the door refuses. */
export async function publishByWhip(source: RtpPublisher, call: StreamRequest): Promise<() => void> {
  const connection = new ndc.PeerConnection('video', { iceServers: [] })
  const sound = new ndc.Audio('0', 'SendOnly')
  sound.addOpusCodec(PAYLOADS.audio)
  sound.addSSRC(SOURCES.audio, 'video', 'video', 'audio')
  const picture = new ndc.Video('1', 'SendOnly')
  if (source.codec === 'VP8') picture.addVP8Codec(PAYLOADS.video)
  else picture.addH264Codec(PAYLOADS.video)
  picture.addSSRC(SOURCES.video, 'video', 'video', 'video')
  const tracks = { audio: connection.addTrack(sound), video: connection.addTrack(picture) }
  const session = await negotiate(connection, call)
  await waitUntilOpen(tracks.audio, tracks.video)
  const release = source.onPacket((kind, packet) => {
    const track = tracks[kind]
    if (!track.isOpen()) return
    const own = Buffer.from(packet)
    own.writeUInt32BE(SOURCES[kind], 8)
    track.sendMessageBinary(own)
  })
  return () => {
    release()
    session.close()
  }
}
