/** The object key of a derived file, e.g. `captions/uk.vtt`. */
export const derivedKey = (tenantId: string, fileId: string, path: string): string =>
  `${tenantId}/${fileId}.made/${path}`

/** Whether an object is output of the encoder: its bytes are counted in the video's row too. */
export const isVideoOutput = (key: string): boolean => /\.made\/(hls\/|poster\/|storyboard\.)/.test(key)
