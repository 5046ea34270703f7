/*
 * A companion stream repeats an H.264 stream in VP8, which every browser decodes. The publisher adds it while there are
 * subscribers without H.264. Subscribers request the main stream and get the one that they can decode.
 */

const SUFFIX = '-vp8'

export const companionStreamOf = (stream: string): string => `${stream}${SUFFIX}`
export const isCompanion = (stream: string): boolean => stream.endsWith(SUFFIX)
/** The main stream of a companion; any other stream unchanged. */
export const mainStreamOf = (stream: string): string => (isCompanion(stream) ? stream.slice(0, -SUFFIX.length) : stream)
