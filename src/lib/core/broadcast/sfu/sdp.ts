import type { Kind, VideoCodec } from '../tap/tapped.ts'

/** One section of an offer with the one codec that is kept of it. */
export interface Section {
  kind: Kind
  mid: string
  payload: number
  codec: 'OPUS' | VideoCodec
  /** Parameters of the codec, to be answered as they were offered. */
  format: string | undefined
  /** As offered: sendrecv, sendonly, recvonly or inactive. */
  direction: string
}

export interface Kept {
  /** The offer with one codec a section, without what nobody here answers. */
  sdp: string
  audio: Section | null
  video: (Section & { codec: VideoCodec }) | null
}

/** `invalid`: no session description; `unfit`: one that cannot be answered, by its codecs or sections. */
export class BadOffer extends Error {
  readonly fault: 'invalid' | 'unfit'

  constructor(fault: 'invalid' | 'unfit', words: string) {
    super(words)
    this.name = 'BadOffer'
    this.fault = fault
  }
}

/**
 * Keeps one codec of each section of an offer: Opus, and the wanted video codec; without a wish H264 in
 * packetization-mode=1 and a constrained baseline profile, otherwise VP8. `strict` refuses an offer without the wanted
 * codec, otherwise the next best is kept. Header extensions, simulcast, retransmission payloads, transport-cc and TCP
 * candidates go. At most one section of each kind (RFC 9725, 4.2). Throws BadOffer, also for an offer without what a
 * connection needs: credentials of ICE (RFC 8839), a fingerprint and a role of DTLS (RFC 8842).
 */
export function keepOne(offer: string, wanted: VideoCodec | null = null, strict = false): Kept {
  if (!/^v=0\r?\n/.test(offer) || offer.length > LONGEST) throw new BadOffer('invalid', 'no session description')
  const [head = '', ...bodies] = offer.replace(/\r?\n/g, '\r\n').split(/(?=^m=)/m)
  const sections = bodies.map((body) => sectionOf(body, wanted, strict))
  const kinds = sections.map(({ kind }) => kind)
  if (sections.length === 0) throw new BadOffer('unfit', 'neither sound nor picture is offered')
  if (new Set(kinds).size < kinds.length) throw new BadOffer('unfit', 'more than one section of a kind')
  mustConnect(head, bodies)
  const sdp = [general(head), ...sections.map((section, at) => narrowed(bodies[at] ?? '', section))].join('')
  const audio = sections.find(({ kind }) => kind === 'audio') ?? null
  const video = sections.find(isVideo) ?? null
  return { sdp, audio, video }
}

/** The answer without announcing that candidates may be trickled: PATCH is not supported (RFC 8840, 4.1). */
export const withoutTrickle = (answer: string): string =>
  answer.replace(/^a=ice-options:(.*?)\r?\n/gm, (_, options: string) => {
    const kept = options.split(/[,\s]+/).filter((option) => option !== '' && option !== 'trickle')
    return kept.length > 0 ? `a=ice-options:${kept.join(' ')}\r\n` : ''
  })

/** What libdatachannel answers to a publisher with whom it may speak RTCP says sendrecv; nothing will be sent to it. */
export const receivingOnly = (answer: string): string => answer.replace(/^a=sendrecv/gm, 'a=recvonly')

/**
 * Puts the addresses by which the outside reaches this machine in place of the ones it has, on the same port, in every
 * section that has candidates. Without hosts the answer stays as it is.
 */
export function advertise(answer: string, hosts: readonly string[]): string {
  if (hosts.length === 0) return answer
  const [head = '', ...sections] = answer.split(/(?=^m=)/m)
  return [head, ...sections.map((section) => withHosts(section, hosts))].join('')
}

/**
 * Throws BadOffer where nothing could flow in the direction that the endpoint is for: a publisher has to send, a viewer to
 * receive.
 */
export function mustFlow({ audio, video }: Kept, direction: 'publish' | 'play'): void {
  const needed = direction === 'publish' ? /^send/ : /recv/
  for (const section of [audio, video]) {
    if (section && !needed.test(section.direction))
      throw new BadOffer('unfit', `${section.kind} is offered as ${section.direction}, which is no use to ${direction}`)
  }
}

const LONGEST = 64_000
const UNANSWERED = /^a=(?:extmap|extmap-allow-mixed|rid|simulcast|ssrc-group)\b|transport-cc|^a=candidate:\S+ \d+ tcp /i

const NEEDED = {
  'ICE credentials (ice-ufrag)': /^a=ice-ufrag:\S{4,256}\s*$/m,
  'ICE credentials (ice-pwd)': /^a=ice-pwd:\S{22,256}\s*$/m,
  'a DTLS fingerprint': /^a=fingerprint:\S+ [0-9a-f:]+\s*$/im,
  'a DTLS role (setup)': /^a=setup:(?:actpass|active|passive)\s*$/m,
}

// Of bundled sections only the first has to carry them (RFC 9143, 7.1.3).
function mustConnect(head: string, [first = '']: readonly string[]): void {
  for (const [name, pattern] of Object.entries(NEEDED)) {
    if (!pattern.test(head) && !pattern.test(first)) throw new BadOffer('invalid', `the offer has no valid ${name}`)
  }
}

function sectionOf(body: string, wanted: VideoCodec | null, strict: boolean): Section {
  const kind = /^m=(audio|video) /.exec(body)?.[1]
  const mid = /^a=mid:(\S+)/m.exec(body)?.[1]
  if (kind !== 'audio' && kind !== 'video') throw new BadOffer('unfit', 'only sound and picture are taken')
  if (mid === undefined) throw new BadOffer('invalid', 'a section without mid')
  const direction = /^a=(sendrecv|sendonly|recvonly|inactive)\s*$/m.exec(body)?.[1] ?? 'sendrecv'
  const formats = new Map([...body.matchAll(/^a=fmtp:(\d+) (.*?)\r?$/gm)].map((found) => [found[1], found[2]]))
  const codecs = [...body.matchAll(/^a=rtpmap:(\d+) ([^/\s]+)/gm)].map(([, payload = '', name = '']) => ({
    payload: Number(payload),
    name: name.toUpperCase(),
    format: formats.get(payload)?.trim(),
  }))
  const names = kind === 'audio' ? (['OPUS'] as const) : videoNames(wanted, strict)
  for (const name of names) {
    const same = codecs.filter((codec) => codec.name === name)
    const best = (name === 'H264' && same.toSorted(byFitness)[0]) || same[0]
    if (best) return { kind, mid, codec: name, payload: best.payload, format: best.format, direction }
  }
  throw new BadOffer('unfit', `none of ${names.join(', ')} is offered`)
}

function videoNames(wanted: VideoCodec | null, strict: boolean): readonly VideoCodec[] {
  if (wanted && strict) return [wanted]
  return wanted === 'VP8' ? ['VP8', 'H264'] : ['H264', 'VP8']
}

// Browsers that take H264 take this kind of it; a player of HLS too.
const fitness = (format = ''): number =>
  (/packetization-mode=1/.test(format) ? 2 : 0) + (/profile-level-id=42e0/i.test(format) ? 1 : 0)
const byFitness = (a: { format: string | undefined }, b: { format: string | undefined }): number =>
  fitness(b.format) - fitness(a.format)

function narrowed(body: string, { payload }: Section): string {
  return body
    .replace(/^(m=\S+ \d+ \S+) .*$/m, `$1 ${payload}`)
    .split('\r\n')
    .filter((line) => {
      const about = /^a=(?:rtpmap|fmtp|rtcp-fb):(\d+)/.exec(line)?.[1]
      return (about === undefined || Number(about) === payload) && !UNANSWERED.test(line)
    })
    .join('\r\n')
}

const general = (head: string): string =>
  head
    .split('\r\n')
    .filter((line) => !UNANSWERED.test(line))
    .join('\r\n')

const isVideo = (section: Section): section is Section & { codec: VideoCodec } => section.kind === 'video'

function withHosts(section: string, hosts: readonly string[]): string {
  const found = /^a=candidate:\S+ 1 UDP (\d+) \S+ (\d+) typ host.*\r\n/im.exec(section)
  if (!found) return section
  const [whole, priority, port] = found
  const lines = hosts.map(
    (host, at) => `a=candidate:${at + 1} 1 UDP ${Number(priority) - at} ${host} ${port} typ host\r\n`,
  )
  const [before = '', after = ''] = section.split(whole)
  const others = /^a=candidate:.*\r\n/gim
  return `${before.replace(others, '')}${lines.join('')}${after.replace(others, '')}`
}
