import ndc, { type PeerConnection, type Track } from 'node-datachannel'
import type { FromCrowd, ToCrowd } from './crowd.ts'
import { isRtcp, pictureLoss, sourceOf } from './sfu/rtp.ts'

/*
 * Viewers without a screen, in a process of their own: node-datachannel's threads are none of the product's. They offer,
 * take the answer, count frames (an RTP packet with the marker bit ends one) and tell it when the time is over.
 */

const [count = 1, seconds = 5] = process.argv.slice(2).map(Number)
const CANDIDATES = /^a=candidate:.*\r\n/gm
const OURS = 77

interface Viewer {
  connection: PeerConnection
  frames: number
  /** Kept, since a track that nobody holds is collected. */
  tracks: Track[]
}

const viewers = await Promise.all(Array.from({ length: count }, (_, number) => offer(number)))

process.on('message', (told: ToCrowd) => {
  const viewer = viewers[told.viewer]
  if (!viewer || told.op === 'refused') return
  viewer.connection.setRemoteDescription(told.sdp.replace(CANDIDATES, ''), 'answer')
  const mid = /^a=mid:(\S+)/m.exec(told.sdp)?.[1] ?? ''
  for (const [line] of told.sdp.matchAll(CANDIDATES)) viewer.connection.addRemoteCandidate(line.trim().slice(2), mid)
})
process.on('disconnect', () => process.exit())
setTimeout(() => say({ op: 'counted', frames: viewers.map(({ frames }) => frames) }), seconds * 1000)

async function offer(number: number): Promise<Viewer> {
  const connection = new ndc.PeerConnection(`crowd-${number}`, { iceServers: [] })
  const audio = new ndc.Audio('0', 'RecvOnly')
  audio.addOpusCodec(111)
  const video = new ndc.Video('1', 'SendRecv')
  video.addH264Codec(102, 'profile-level-id=42e01f;packetization-mode=1;level-asymmetry-allowed=1')
  video.addVP8Codec(96)
  // Ours, so that the library lets our reports out.
  video.addSSRC(OURS, 'crowd', 'crowd', 'video')
  const tracks = [connection.addTrack(audio), connection.addTrack(video)]
  const viewer: Viewer = { connection, frames: 0, tracks }
  let asked = false
  tracks[1]?.onMessage((packet) => {
    if (isRtcp(packet)) return
    if (((packet[1] ?? 0) & 0x80) !== 0) viewer.frames += 1
    if (asked) return
    asked = true
    tracks[1]?.sendMessageBinary(pictureLoss(OURS, sourceOf(packet)))
  })
  const gathered = new Promise<void>((resolve) => {
    connection.onGatheringStateChange((state) => state === 'complete' && resolve())
  })
  connection.setLocalDescription('offer')
  await gathered
  const { sdp = '' } = connection.localDescription() ?? {}
  say({ op: 'offer', viewer: number, sdp: sdp.replace(CANDIDATES, '') })
  return viewer
}

function say(words: FromCrowd): void {
  process.send?.(words)
}
