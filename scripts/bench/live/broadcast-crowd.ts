import ndc from 'node-datachannel'
import {
  connectSubscriber,
  negotiate,
  publishForever,
  type StreamRequest,
  type TestSubscriber,
  waitUntilOpen,
} from '../../../tests/setup/media/webrtc-clients.ts'

/*
 * One publisher of 1 Mbit/s, or none, and many viewers, in a separate process that broadcast.ts starts with the
 * endpoints. One viewer in ten counts every packet and sends NACKs; for the others libdatachannel receives and reports.
 */
const [whip = '', whep = '', many = '', how] = process.argv.slice(2)
const publishing: StreamRequest = JSON.parse(whip)
const { url, tokens }: { url: string; tokens: string[] } = JSON.parse(whep)
let next = how === 'publishing' ? 0 : Math.floor(tokens.length * Math.random())
const playing = (): StreamRequest => ({ url, token: tokens[next++ % tokens.length] ?? '' })
const counting: TestSubscriber[] = []
const others: Awaited<ReturnType<typeof idle>>[] = []
if (how === 'publishing') await publishForever(publishing)

// Connects ten viewers at a time.
for (let at = 0; at < Number(many); at += 10) {
  counting.push(await connectSubscriber(playing()))
  const crowd = Math.min(9, Number(many) - at - 1)
  others.push(...(await Promise.all(Array.from({ length: crowd }, idle))))
}
const totals = () => ({
  viewers: counting.length + others.length,
  sounds: counting.map(({ audioPackets: sounds }) => sounds),
  lost: counting.reduce((sum, { lost }) => sum + lost, 0),
  recovered: counting.reduce((sum, { recovered }) => sum + recovered, 0),
})
process.on('message', () => process.send?.(totals()))
process.send?.(totals())

async function idle() {
  const connection = new ndc.PeerConnection('crowd', { iceServers: [] })
  const audio = new ndc.Audio('0', 'RecvOnly')
  audio.addOpusCodec(111)
  const video = new ndc.Video('1', 'RecvOnly')
  video.addH264Codec(102)
  const tracks = [connection.addTrack(audio), connection.addTrack(video)] as const
  for (const track of tracks) track.setMediaHandler(new ndc.RtcpReceivingSession())
  const session = await negotiate(connection, playing())
  await waitUntilOpen(...tracks)
  // Referenced, so that they are not garbage-collected and closed.
  return { ...session, tracks }
}
