import type { MediaKind } from '../frames/packet-source.ts'
import { ssrcOf } from './rtp.ts'
import type { NarrowedOffer } from './sdp.ts'

/*
 * libdatachannel assigns received packets to several tracks by the SSRCs of the offer alone, and drops all others: many
 * encoders announce none, or other ones than they use. With one track it delivers everything. So a publisher with audio
 * and video gets one track, and its packets are distinguished here (RFC 9143, 9.2).
 */

export interface PublisherBundle {
  /** The offer with its first section only. */
  sdp: string
  /** Adds the other section to the answer of the first one. */
  completeAnswer(answer: string): string
}

/** Reduces an offer to its first section, which carries the transport of the bundle (RFC 9143, 7.2). */
export function reduceToFirstSection({ sdp }: NarrowedOffer): PublisherBundle {
  const [sessionPart = '', first = '', second] = sdp.split(/(?=^m=)/m)
  if (second === undefined) return { sdp, completeAnswer: (answer) => answer }
  const [firstMid, secondMid] = [midOf(first), midOf(second)]
  return {
    sdp: sessionPart.replace(/^(a=group:\S+) [^\r\n]*/gm, `$1 ${firstMid}`) + withCandidatesOf(second, first),
    completeAnswer(answer) {
      const [answerSession = '', answered = ''] = answer.split(/(?=^m=)/m)
      const groups = answerSession.replace(/^(a=group:\S+ \S+)(?=\r\n)/gm, `$1 ${secondMid}`)
      return groups + answered + answerSection(second, answered)
    },
  }
}

// Some clients gather candidates for each section before they know that the sections are bundled, and use any of them.
function withCandidatesOf(other: string, section: string): string {
  const username = (text: string) => /^a=ice-ufrag:(\S+)/m.exec(text)?.[1]
  if (username(other) !== undefined && username(other) !== username(section)) return section
  const candidates = other.match(/^a=candidate:.*\r\n/gm) ?? []
  const added = candidates.filter((candidate) => !section.includes(candidate))
  return section.replace(/^a=end-of-candidates\r\n/m, '') + added.join('')
}

/** Feedback that is sent to publishers. */
const FEEDBACK = /^a=rtcp-fb:\d+ (?:nack|nack pli|goog-remb)$/

function answerSection(offered: string, answered: string): string {
  const port = /^m=\S+ (\d+)/.exec(answered)?.[1] ?? '9'
  const own = offered.split('\r\n').filter((line) => /^a=(?:mid|rtpmap|fmtp):?/.test(line) || FEEDBACK.test(line))
  const transport = answered
    .split('\r\n')
    .filter((line) => /^(?:c=|a=(?:sendrecv|rtcp-mux|setup|ice-ufrag|ice-pwd|fingerprint)\b)/.test(line))
  const [mediaLine = ''] = offered.split('\r\n')
  const lines = [mediaLine.replace(/^(m=\S+) \d+/, `$1 ${port}`), ...transport, ...own]
  return `${lines.join('\r\n')}\r\n`
}

const midOf = (section: string): string => /^a=mid:(\S+)/m.exec(section)?.[1] ?? ''

/**
 * Returns a function that finds the kind of an RTP packet: by the payload types of the kept codecs, or by the announced
 * SSRCs if both kinds use the same payload type, or the publisher another one; null for packets of neither.
 */
export function createPacketSorter({ audio, video }: NarrowedOffer): (packet: Buffer) => MediaKind | null {
  const sections = [audio, video].filter((section) => section !== null)
  return (packet) => {
    const payloadType = (packet[1] ?? 0) & 0x7f
    const candidates = sections.filter(({ payloadTypes }) => payloadTypes.includes(payloadType))
    if (candidates.length === 1) return candidates[0]?.kind ?? null
    return sections.find(({ ssrcs }) => ssrcs.includes(ssrcOf(packet)))?.kind ?? null
  }
}
