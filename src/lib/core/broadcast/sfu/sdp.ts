import type { MediaKind, VideoCodec } from '../frames/packet-source.ts'

/** A media section of an offer, with the one codec that is kept. */
export interface MediaSection {
  kind: MediaKind
  mid: string
  payloadType: number
  codec: 'OPUS' | VideoCodec
  /** Offered payload types of this codec; a publisher may use another one than the answer names. */
  payloadTypes: number[]
  /** Announced SSRCs; often there are none. */
  ssrcs: number[]
  /** The fmtp parameters of the codec; the answer repeats them. */
  formatParameters: string | undefined
  /** As offered: sendrecv, sendonly, recvonly or inactive. */
  direction: string
}

export interface NarrowedOffer {
  /** The offer with one codec in each section and without unsupported attributes. */
  sdp: string
  audio: MediaSection | null
  video: (MediaSection & { codec: VideoCodec }) | null
}

/** `invalid`: not a valid session description. `unprocessable`: valid, but its codecs or sections cannot be answered. */
export class OfferError extends Error {
  readonly fault: 'invalid' | 'unprocessable'

  constructor(fault: 'invalid' | 'unprocessable', message: string) {
    super(message)
    this.name = 'OfferError'
    this.fault = fault
  }
}

/**
 * Reduces each section of an offer to one codec: Opus for audio; for video the preferred codec, by default H264 with
 * packetization-mode=1 and the constrained baseline profile, otherwise VP8. With `isCodecRequired` an offer without the
 * preferred codec is refused, else the next best codec is kept. Removes header extensions, simulcast, retransmission
 * payload types, transport-cc and TCP candidates. At most one section of each kind (RFC 9725, 4.2). Throws OfferError,
 * also when ICE credentials (RFC 8839), a DTLS fingerprint or a DTLS role (RFC 8842) are missing.
 */
export function narrowOffer(
  offer: string,
  preferredCodec: VideoCodec | null = null,
  isCodecRequired = false,
): NarrowedOffer {
  if (!/^v=0\r?\n/.test(offer) || offer.length > MAX_SDP_LENGTH)
    throw new OfferError('invalid', 'not a session description')
  const [sessionPart = '', ...bodies] = offer.replace(/\r?\n/g, '\r\n').split(/(?=^m=)/m)
  const sections = bodies.map((body) => readSection(body, preferredCodec, isCodecRequired))
  const kinds = sections.map(({ kind }) => kind)
  if (sections.length === 0) throw new OfferError('unprocessable', 'neither audio nor video is offered')
  if (new Set(kinds).size < kinds.length) throw new OfferError('unprocessable', 'more than one section of a kind')
  requireTransportAttributes(sessionPart, bodies)
  const sdp = [
    narrowSessionPart(sessionPart),
    ...sections.map((section, index) => narrowSection(bodies[index] ?? '', section)),
  ].join('')
  const audio = sections.find(({ kind }) => kind === 'audio') ?? null
  const video = sections.find(isVideo) ?? null
  return { sdp, audio, video }
}

/** Removes the `trickle` ICE option from an answer, since PATCH is not supported (RFC 8840, 4.1). */
export const removeTrickleOption = (answer: string): string =>
  answer.replace(/^a=ice-options:(.*?)\r?\n/gm, (_, options: string) => {
    const supported = options.split(/[,\s]+/).filter((option) => option !== '' && option !== 'trickle')
    return supported.length > 0 ? `a=ice-options:${supported.join(' ')}\r\n` : ''
  })

/** Turns sendrecv into recvonly in the answer to a publisher: libdatachannel needs sendrecv to send RTCP, but no media is sent. */
export const makeReceiveOnly = (answer: string): string => answer.replace(/^a=sendrecv/gm, 'a=recvonly')

/**
 * Replaces the host candidates of an answer by the public addresses of this machine, on the same port, in every section
 * that has candidates. Returns the answer unchanged when `hosts` is empty.
 */
export function replaceHostCandidates(answer: string, hosts: readonly string[]): string {
  if (hosts.length === 0) return answer
  const [sessionPart = '', ...sections] = answer.split(/(?=^m=)/m)
  return [sessionPart, ...sections.map((section) => replaceSectionCandidates(section, hosts))].join('')
}

/** Throws OfferError when a section has the wrong direction: a publisher has to send, a subscriber to receive. */
export function requireDirection({ audio, video }: NarrowedOffer, direction: 'publish' | 'play'): void {
  const pattern = direction === 'publish' ? /^send/ : /recv/
  for (const section of [audio, video]) {
    if (section && !pattern.test(section.direction))
      throw new OfferError(
        'unprocessable',
        `${section.kind} is offered as ${section.direction}, which does not allow to ${direction}`,
      )
  }
}

const MAX_SDP_LENGTH = 64_000
const UNSUPPORTED_LINE =
  /^a=(?:extmap|extmap-allow-mixed|rid|simulcast|ssrc-group)\b|transport-cc|^a=candidate:\S+ \d+ tcp /i

const REQUIRED_ATTRIBUTES = {
  'ICE credentials (ice-ufrag)': /^a=ice-ufrag:\S{4,256}\s*$/m,
  'ICE credentials (ice-pwd)': /^a=ice-pwd:\S{22,256}\s*$/m,
  'a DTLS fingerprint': /^a=fingerprint:\S+ [0-9a-f:]+\s*$/im,
  'a DTLS role (setup)': /^a=setup:(?:actpass|active|passive)\s*$/m,
}

// In a bundle only the first section has to contain them (RFC 9143, 7.1.3).
function requireTransportAttributes(sessionPart: string, [firstSection = '']: readonly string[]): void {
  for (const [name, pattern] of Object.entries(REQUIRED_ATTRIBUTES)) {
    if (!pattern.test(sessionPart) && !pattern.test(firstSection))
      throw new OfferError('invalid', `the offer has no valid ${name}`)
  }
}

function readSection(body: string, preferredCodec: VideoCodec | null, isCodecRequired: boolean): MediaSection {
  const kind = /^m=(audio|video) /.exec(body)?.[1]
  const mid = /^a=mid:(\S+)/m.exec(body)?.[1]
  if (kind !== 'audio' && kind !== 'video') throw new OfferError('unprocessable', 'only audio and video are accepted')
  if (mid === undefined) throw new OfferError('invalid', 'a section without mid')
  const direction = /^a=(sendrecv|sendonly|recvonly|inactive)\s*$/m.exec(body)?.[1] ?? 'sendrecv'
  const parametersByPayloadType = new Map(
    [...body.matchAll(/^a=fmtp:(\d+) (.*?)\r?$/gm)].map((match) => [match[1], match[2]]),
  )
  const codecs = [...body.matchAll(/^a=rtpmap:(\d+) ([^/\s]+)/gm)].map(([, payloadType = '', name = '']) => ({
    payloadType: Number(payloadType),
    name: name.toUpperCase(),
    formatParameters: parametersByPayloadType.get(payloadType)?.trim(),
  }))
  const acceptedCodecs = kind === 'audio' ? (['OPUS'] as const) : acceptedVideoCodecs(preferredCodec, isCodecRequired)
  for (const name of acceptedCodecs) {
    const candidates = codecs.filter((codec) => codec.name === name)
    const best = (name === 'H264' && candidates.toSorted(byH264Preference)[0]) || candidates[0]
    if (best)
      return {
        kind,
        mid,
        codec: name,
        payloadType: best.payloadType,
        payloadTypes: candidates.map(({ payloadType }) => payloadType),
        ssrcs: [...new Set([...body.matchAll(/^a=ssrc:(\d+) /gm)].map(([, ssrc]) => Number(ssrc)))],
        formatParameters: best.formatParameters,
        direction,
      }
  }
  throw new OfferError('unprocessable', `none of ${acceptedCodecs.join(', ')} is offered`)
}

function acceptedVideoCodecs(preferredCodec: VideoCodec | null, isCodecRequired: boolean): readonly VideoCodec[] {
  if (preferredCodec && isCodecRequired) return [preferredCodec]
  return preferredCodec === 'VP8' ? ['VP8', 'H264'] : ['H264', 'VP8']
}

// All browsers with H264 and HLS players decode this variant.
const h264Preference = (formatParameters = ''): number =>
  (/packetization-mode=1/.test(formatParameters) ? 2 : 0) + (/profile-level-id=42e0/i.test(formatParameters) ? 1 : 0)
const byH264Preference = (
  a: { formatParameters: string | undefined },
  b: { formatParameters: string | undefined },
): number => h264Preference(b.formatParameters) - h264Preference(a.formatParameters)

function narrowSection(body: string, { payloadType }: MediaSection): string {
  return body
    .replace(/^(m=\S+ \d+ \S+) .*$/m, `$1 ${payloadType}`)
    .split('\r\n')
    .filter((line) => {
      const linePayloadType = /^a=(?:rtpmap|fmtp|rtcp-fb):(\d+)/.exec(line)?.[1]
      return (linePayloadType === undefined || Number(linePayloadType) === payloadType) && !UNSUPPORTED_LINE.test(line)
    })
    .join('\r\n')
}

const narrowSessionPart = (sessionPart: string): string =>
  sessionPart
    .split('\r\n')
    .filter((line) => !UNSUPPORTED_LINE.test(line))
    .join('\r\n')

const isVideo = (section: MediaSection): section is MediaSection & { codec: VideoCodec } => section.kind === 'video'

function replaceSectionCandidates(section: string, hosts: readonly string[]): string {
  const match = /^a=candidate:\S+ 1 UDP (\d+) \S+ (\d+) typ host.*\r\n/im.exec(section)
  if (!match) return section
  const [candidateLine, priority, port] = match
  const lines = hosts.map(
    (host, index) => `a=candidate:${index + 1} 1 UDP ${Number(priority) - index} ${host} ${port} typ host\r\n`,
  )
  const [before = '', after = ''] = section.split(candidateLine)
  const otherCandidates = /^a=candidate:.*\r\n/gim
  return `${before.replace(otherCandidates, '')}${lines.join('')}${after.replace(otherCandidates, '')}`
}
