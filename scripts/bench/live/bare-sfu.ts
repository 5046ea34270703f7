import http from 'node:http'
import type { AddressInfo } from 'node:net'
import ndc, { type PeerConnection, type Track } from 'node-datachannel'
import { freePort } from '../processes.ts'

/*
 * The minimum that forwards one stream to many subscribers: no rooms, no tokens, no child process. Each packet is
 * copied for each subscriber, with a rewritten header; reports, bandwidth estimates and keyframe requests as browsers
 * need them. The baseline of broadcast.ts.
 */
const port = await freePort()
const ring: Buffer[] = new Array(512)
const viewers = new Set<Viewer>()
const open = new Set<PeerConnection>()
let picture: Track | undefined
// A track without a reference would be garbage-collected and closed.
const openTracks: Track[] = []

interface Way {
  track: Track
  source: number
  open: boolean
  packets: number
  octets: number
  time: number
}
interface Viewer {
  audio?: Way
  video?: Way
}

function connection(name: string, onEnd: () => void): PeerConnection {
  const peer = new ndc.PeerConnection(name, {
    iceServers: [],
    forceMediaTransport: true,
    enableIceUdpMux: true,
    portRangeBegin: port,
    portRangeEnd: port,
  })
  open.add(peer)
  peer.onStateChange((state) => {
    if (!['disconnected', 'failed', 'closed'].includes(state) || !open.delete(peer)) return
    onEnd()
    peer.close()
  })
  return peer
}

const MIDS = ['0', '1'] as const
function described(mid: (typeof MIDS)[number], direction: 'SendRecv' | 'SendOnly' | 'RecvOnly', source?: number) {
  const media = mid === '0' ? new ndc.Audio(mid, direction) : new ndc.Video(mid, direction)
  if (media instanceof ndc.Audio) media.addOpusCodec(111)
  else media.addH264Codec(102)
  if (source) media.addSSRC(source, 'c', 's', mid)
  return media
}

async function answer(to: PeerConnection, offer: string): Promise<string> {
  const done = new Promise<void>((resolve) => to.onGatheringStateChange((state) => state === 'complete' && resolve()))
  to.setRemoteDescription(offer, 'offer')
  await done
  return to.localDescription()?.sdp ?? ''
}

async function publish(offer: string): Promise<string> {
  const timers: NodeJS.Timeout[] = []
  const peer = connection('publisher', () => timers.forEach(clearInterval))
  for (const mid of MIDS) {
    const kind = mid === '0' ? 'audio' : 'video'
    const track = peer.addTrack(described(mid, kind === 'video' ? 'SendRecv' : 'RecvOnly'))
    openTracks.push(track)
    track.setMediaHandler(new ndc.RtcpReceivingSession())
    if (kind === 'video') picture = track
    track.onMessage((packet) => {
      if (packet.length < 12 || ((packet[1] ?? 0) >= 192 && (packet[1] ?? 0) <= 223)) return
      ring[packet.readUInt16BE(2) % 512] = packet
      for (const viewer of viewers) forward(viewer[kind], packet)
    })
  }
  timers.push(setInterval(() => picture?.isOpen() && picture.requestBitrate(3_000_000), 1000))
  return (await answer(peer, offer)).replace(/a=sendrecv/g, 'a=recvonly')
}

function forward(way: Way | undefined, packet: Buffer): void {
  if (!way?.open) return
  const copy = Buffer.from(packet)
  way.time = copy.readUInt32BE(4)
  copy.writeUInt32BE(way.source, 8)
  way.packets += 1
  way.octets += copy.length - 12
  try {
    way.track.sendMessageBinary(copy)
  } catch {
    // The track was closed meanwhile.
  }
}

let sources = 1000
async function play(offer: string): Promise<string> {
  const viewer: Viewer = {}
  const peer = connection('viewer', () => {
    clearInterval(seconds)
    viewers.delete(viewer)
  })
  for (const mid of MIDS) {
    const source = ++sources
    const track = peer.addTrack(described(mid, 'SendOnly', source))
    const way = { track, source, open: false, packets: 0, octets: 0, time: 0 }
    viewer[mid === '0' ? 'audio' : 'video'] = way
    track.onOpen(() => {
      way.open = true
    })
    track.onMessage((packet) => {
      if (packet[1] === 206) picture?.requestKeyframe()
    })
  }
  const seconds = setInterval(() => {
    for (const way of Object.values(viewer)) report(way)
  }, 1000)
  const sdp = await answer(peer, offer)
  viewers.add(viewer)
  return sdp
}

function report(way: Way): void {
  if (!way.open || way.packets === 0) return
  const now = Date.now()
  const packet = Buffer.alloc(28)
  packet[0] = 0x80
  packet[1] = 200
  packet.writeUInt16BE(6, 2)
  packet.writeUInt32BE(way.source, 4)
  packet.writeUInt32BE((Math.floor(now / 1000) + 2_208_988_800) >>> 0, 8)
  packet.writeUInt32BE(way.time, 16)
  packet.writeUInt32BE(way.packets, 20)
  packet.writeUInt32BE(way.octets, 24)
  try {
    way.track.sendMessageBinary(packet)
  } catch {
    // The track was closed meanwhile.
  }
}

const server = http.createServer(async (request, response) => {
  const offer = Buffer.concat(await request.toArray()).toString()
  const sdp = await (request.url === '/whip' ? publish(offer) : play(offer))
  response.writeHead(201, { 'content-type': 'application/sdp', location: '/' }).end(sdp)
})
server.listen(0, '127.0.0.1', () => {
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const [whip, whep] = [`${base}/whip`, `${base}/whep`]
  process.send?.({ pid: process.pid, whip: { url: whip, token: '-' }, whep: { url: whep, tokens: ['-'] } })
})
process.on('message', (command) => {
  if (command === 'status') process.send?.({ sessions: open.size })
  if (command === 'end') process.exit()
})
