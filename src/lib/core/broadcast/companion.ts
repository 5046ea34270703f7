/*
 * A publisher in H.264 adds a companion stream in VP8, which every browser decodes, while viewers without H.264 are there.
 * Viewers ask for the stream by its own name and get whichever they can decode.
 */

const SUFFIX = '-vp8'

export const companionOf = (stream: string): string => `${stream}${SUFFIX}`
export const isCompanion = (stream: string): boolean => stream.endsWith(SUFFIX)
/** The stream that a companion belongs to; any other stream itself. */
export const mainOf = (stream: string): string => (isCompanion(stream) ? stream.slice(0, -SUFFIX.length) : stream)
