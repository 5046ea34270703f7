import { describe, expect, test } from 'vitest'
import {
  makeReceiveOnly,
  narrowOffer,
  OfferError,
  removeTrickleOption,
  replaceHostCandidates,
  requireDirection,
} from '#lib/core/broadcast/sfu/sdp.ts'

const HEAD =
  'v=0\r\no=- 1 2 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\na=group:BUNDLE 0 1\r\na=extmap-allow-mixed\r\n' +
  'a=ice-ufrag:abcd\r\na=ice-pwd:0123456789abcdefghijkl\r\na=fingerprint:sha-256 AB:CD\r\na=setup:actpass\r\n'
const SOUND = [
  'm=audio 9 UDP/TLS/RTP/SAVPF 111 63 9',
  'c=IN IP4 0.0.0.0',
  'a=candidate:1 1 udp 2113937151 192.0.2.7 50000 typ host',
  'a=candidate:2 1 tcp 1518280447 192.0.2.7 9 typ host tcptype active',
  'a=mid:0',
  'a=extmap:1 urn:ietf:params:rtp-hdrext:ssrc-audio-level',
  'a=rtpmap:111 opus/48000/2',
  'a=rtcp-fb:111 transport-cc',
  'a=fmtp:111 minptime=10;useinbandfec=1',
  'a=rtpmap:63 red/48000/2',
  'a=fmtp:63 111/111',
  'a=rtpmap:9 G722/8000',
]
const H264 = (payload: number, format: string) => [
  `a=rtpmap:${payload} H264/90000`,
  `a=rtcp-fb:${payload} nack pli`,
  `a=rtcp-fb:${payload} transport-cc`,
  `a=fmtp:${payload} level-asymmetry-allowed=1;${format}`,
]
const PICTURE = [
  'm=video 9 UDP/TLS/RTP/SAVPF 96 97 102 103 106 104',
  'a=mid:1',
  'a=rid:h send',
  'a=simulcast:send h',
  'a=ssrc-group:FID 1 2',
  'a=ssrc:1 cname:x',
  'a=rtpmap:96 VP8/90000',
  'a=rtcp-fb:96 goog-remb',
  'a=rtpmap:97 rtx/90000',
  'a=fmtp:97 apt=96',
  ...H264(102, 'packetization-mode=1;profile-level-id=42001f'),
  'a=rtpmap:103 rtx/90000',
  'a=fmtp:103 apt=102',
  ...H264(104, 'packetization-mode=0;profile-level-id=42e01f'),
  ...H264(106, 'packetization-mode=1;profile-level-id=42e01f'),
]
const offer = (...sections: string[][]) => HEAD + sections.map((lines) => `${lines.join('\r\n')}\r\n`).join('')

describe('an offer', () => {
  test('keeps Opus and the H264 variant of browsers and HLS', () => {
    const { sdp, audio, video } = narrowOffer(offer(SOUND, PICTURE))
    expect(audio).toEqual({
      kind: 'audio',
      mid: '0',
      payloadType: 111,
      payloadTypes: [111],
      ssrcs: [],
      codec: 'OPUS',
      formatParameters: 'minptime=10;useinbandfec=1',
      direction: 'sendrecv',
    })
    expect(video).toMatchObject({
      mid: '1',
      payloadType: 106,
      payloadTypes: [102, 104, 106],
      ssrcs: [1],
      codec: 'H264',
    })
    expect(video?.formatParameters).toContain('packetization-mode=1;profile-level-id=42e01f')
    expect(sdp).toContain('m=video 9 UDP/TLS/RTP/SAVPF 106\r\n')
    expect(sdp).toContain('a=rtcp-fb:106 nack pli')
    expect([...sdp.matchAll(/^a=rtpmap:(\d+)/gm)].map(([, payload]) => payload)).toEqual(['111', '106'])
    expect(sdp).not.toMatch(/extmap|transport-cc|simulcast|a=rid|ssrc-group| tcp |rtx/)
    expect(sdp).toContain('192.0.2.7 50000 typ host')
  })

  test('keeps the preferred codec, or the next best', () => {
    expect(narrowOffer(offer(SOUND, PICTURE), 'VP8').video).toMatchObject({
      codec: 'VP8',
      payloadType: 96,
      formatParameters: undefined,
    })
    const vp8 = PICTURE.filter((line) => !/H264|:10[0-9] /.test(line))
    expect(narrowOffer(offer(SOUND, vp8)).video?.codec).toBe('VP8')
    expect(narrowOffer(offer(SOUND, vp8), 'H264').video?.codec).toBe('VP8')
    expect(faultOf(() => narrowOffer(offer(SOUND, vp8), 'H264', true))).toBe('unprocessable')
  })

  test('may contain audio only, and line feeds without carriage returns', () => {
    expect(narrowOffer(offer(SOUND))).toMatchObject({ audio: { payloadType: 111 }, video: null })
    expect(narrowOffer(offer(SOUND, PICTURE).replaceAll('\r\n', '\n')).video?.payloadType).toBe(106)
  })

  test.each([
    ['', 'invalid'],
    ['{"sdp": 1}', 'invalid'],
    [HEAD, 'unprocessable'],
    [offer(SOUND, PICTURE, PICTURE), 'unprocessable'],
    [offer(['m=application 9 UDP/DTLS/SCTP webrtc-datachannel', 'a=mid:0']), 'unprocessable'],
    [offer(['m=video 9 UDP/TLS/RTP/SAVPF 98', 'a=mid:0', 'a=rtpmap:98 VP9/90000']), 'unprocessable'],
    [offer(['m=audio 9 UDP/TLS/RTP/SAVPF 111', 'a=rtpmap:111 opus/48000/2']), 'invalid'],
    [`v=0\r\n${'a=x\r\n'.repeat(20_000)}`, 'invalid'],
  ])('that cannot be answered is refused (%#)', (sdp, fault) => {
    expect(faultOf(() => narrowOffer(sdp))).toBe(fault)
  })
})

test.each(['ice-ufrag', 'ice-pwd', 'fingerprint', 'setup'])('an offer without %s is invalid', (name) => {
  const lacking = offer(SOUND, PICTURE).replace(new RegExp(`a=${name}:.*\\r\\n`), '')
  expect(faultOf(() => narrowOffer(lacking))).toBe('invalid')
})

test.each([
  ['publish', 'sendonly', null],
  ['publish', 'sendrecv', null],
  ['publish', 'recvonly', 'unprocessable'],
  ['publish', 'inactive', 'unprocessable'],
  ['play', 'recvonly', null],
  ['play', 'sendrecv', null],
  ['play', 'sendonly', 'unprocessable'],
  ['play', 'inactive', 'unprocessable'],
] as const)('an offer to %s that says %s: %s', (direction, offered, fault) => {
  const kept = narrowOffer(offer([...SOUND, `a=${offered}`]))
  expect(faultOf(() => requireDirection(kept, direction))).toBe(fault)
})

test('an offer without Opus parameters is accepted (RFC 7587, 7)', () => {
  const bare = SOUND.filter((line) => !line.startsWith('a=fmtp:111'))
  expect(narrowOffer(offer(bare)).audio).toMatchObject({ payloadType: 111, formatParameters: undefined })
})

describe('an answer', () => {
  test('does not announce trickle ICE', () => {
    expect(removeTrickleOption('v=0\r\na=ice-options:ice2,trickle\r\nt=0 0\r\n')).toBe(
      'v=0\r\na=ice-options:ice2\r\nt=0 0\r\n',
    )
    expect(removeTrickleOption('v=0\r\na=ice-options:trickle\r\nt=0 0\r\n')).toBe('v=0\r\nt=0 0\r\n')
  })

  const section = (mid: string, ...lines: string[]) =>
    ['m=video 8190 UDP/TLS/RTP/SAVPF 106', `a=mid:${mid}`, 'a=sendrecv', ...lines, ''].join('\r\n')
  const answer = `${HEAD}${section(
    '0',
    'a=candidate:2 1 UDP 2116026111 fd00::2 8190 typ host',
    'a=candidate:1 1 UDP 2114977791 192.0.2.2 8190 typ host',
    'a=end-of-candidates',
  )}${section('1')}`

  test('has the configured addresses as candidates, on the same port', () => {
    const replaced = replaceHostCandidates(answer, ['203.0.113.7', '203.0.113.8'])
    expect([...replaced.matchAll(/^a=candidate:.*/gm)].map(([line]) => line)).toEqual([
      'a=candidate:1 1 UDP 2116026111 203.0.113.7 8190 typ host',
      'a=candidate:2 1 UDP 2116026110 203.0.113.8 8190 typ host',
    ])
    expect(replaced.indexOf('203.0.113.7')).toBeLessThan(replaced.indexOf('end-of-candidates'))
    expect(replaceHostCandidates(answer, [])).toBe(answer)
  })

  test('to a publisher is recvonly', () => {
    expect(makeReceiveOnly(answer).match(/^a=(sendrecv|recvonly)/gm)).toEqual(['a=recvonly', 'a=recvonly'])
  })
})

function faultOf(action: () => unknown): string | null {
  try {
    action()
    return null
  } catch (error) {
    return error instanceof OfferError ? error.fault : String(error)
  }
}
