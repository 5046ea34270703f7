import ndc, { type PeerConnection, type Track } from 'node-datachannel'
import type { ViewerCommand, ViewerMessage } from './headless-viewers.ts'
import { createPli, isRtcp, ssrcOf } from './sfu/rtp.ts'

/*
 * Headless viewers of a load test, in a separate process because node-datachannel starts threads. They send an offer,
 * take the answer, count frames (the RTP marker bit ends a frame) and report the counts at the end.
 */

const [count = 1, seconds = 5] = process.argv.slice(2).map(Number)
const CANDIDATES = /^a=candidate:.*\r\n/gm
const LOCAL_SSRC = 77

interface Viewer {
  connection: PeerConnection
  frames: number
  /** Referenced so that they are not garbage-collected. */
  tracks: Track[]
}

const viewers = await Promise.all(Array.from({ length: count }, (_, index) => connectViewer(index)))

process.on('message', (command: ViewerCommand) => {
  const viewer = viewers[command.viewer]
  if (!viewer || command.op === 'refused') return
  viewer.connection.setRemoteDescription(command.sdp.replace(CANDIDATES, ''), 'answer')
  const mid = /^a=mid:(\S+)/m.exec(command.sdp)?.[1] ?? ''
  for (const [line] of command.sdp.matchAll(CANDIDATES)) viewer.connection.addRemoteCandidate(line.trim().slice(2), mid)
})
process.on('disconnect', () => process.exit())
setTimeout(() => sendToParent({ op: 'counted', frames: viewers.map(({ frames }) => frames) }), seconds * 1000)

async function connectViewer(index: number): Promise<Viewer> {
  const connection = new ndc.PeerConnection(`viewer-${index}`, { iceServers: [] })
  const audio = new ndc.Audio('0', 'RecvOnly')
  audio.addOpusCodec(111)
  const video = new ndc.Video('1', 'SendRecv')
  video.addH264Codec(102, 'profile-level-id=42e01f;packetization-mode=1;level-asymmetry-allowed=1')
  video.addVP8Codec(96)
  // libdatachannel sends RTCP only from an SSRC that the description declares.
  video.addSSRC(LOCAL_SSRC, 'viewer', 'viewer', 'video')
  const tracks = [connection.addTrack(audio), connection.addTrack(video)]
  const viewer: Viewer = { connection, frames: 0, tracks }
  let hasRequestedKeyframe = false
  tracks[1]?.onMessage((packet) => {
    if (isRtcp(packet)) return
    if (((packet[1] ?? 0) & 0x80) !== 0) viewer.frames += 1
    if (hasRequestedKeyframe) return
    hasRequestedKeyframe = true
    tracks[1]?.sendMessageBinary(createPli(LOCAL_SSRC, ssrcOf(packet)))
  })
  const gathered = new Promise<void>((resolve) => {
    connection.onGatheringStateChange((state) => state === 'complete' && resolve())
  })
  connection.setLocalDescription('offer')
  await gathered
  const { sdp = '' } = connection.localDescription() ?? {}
  sendToParent({ op: 'offer', viewer: index, sdp: sdp.replace(CANDIDATES, '') })
  return viewer
}

function sendToParent(message: ViewerMessage): void {
  process.send?.(message)
}
