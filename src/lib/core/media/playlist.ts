import { readdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'

/** A variant as listed in the master playlist. */
export interface PlaylistVariant {
  /** Bits per second: of the largest segment, and on average. */
  bandwidth: number
  average: number
  /** RFC 6381, e.g. `avc1.64001f`. */
  codecs: string
}

export interface ListedVariant extends PlaylistVariant {
  size: number
  width: number
  height: number
}

/**
 * Reads the result of an encoding from a folder: ffmpeg's media playlist, its segments and the codec in the init
 * segment.
 */
export async function describeVariant(folder: string): Promise<PlaylistVariant> {
  const playlist = await readFile(path.join(folder, 'index.m3u8'), 'utf8')
  let [bits, seconds, most] = [0, 0, 0]
  for (const [, length = '0', name = ''] of playlist.matchAll(/^#EXTINF:([\d.]+),\s*\n(\S+)/gm)) {
    const size = 8 * (await stat(path.join(folder, name))).size
    bits += size
    seconds += Number(length)
    // A short last segment is ignored, since its bit rate is not representative.
    if (Number(length) >= 1 || most === 0) most = Math.max(most, size / Math.max(Number(length), 0.1))
  }
  const init = await readFile(path.join(folder, 'init.mp4'))
  return {
    bandwidth: Math.ceil(most),
    average: Math.ceil(bits / Math.max(seconds, 0.1)),
    codecs: readCodecs(init),
  }
}

/** All files in a folder and its subfolders, as relative paths with slashes. */
export async function listPlaylistFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'))
}

/**
 * The master playlist (RFC 8216, 4.3.4): every resolution with the shared audio, and audio only as the last variant,
 * for slow connections.
 */
export function masterPlaylist(shown: readonly ListedVariant[], sound: PlaylistVariant | null): string {
  const lines = ['#EXTM3U', '#EXT-X-VERSION:7', '#EXT-X-INDEPENDENT-SEGMENTS']
  const group = sound ? ',AUDIO="sound"' : ''
  if (sound && shown.length > 0) {
    lines.push(
      '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="sound",NAME="1",DEFAULT=YES,AUTOSELECT=YES,CHANNELS="2",URI="sound/index.m3u8"',
    )
  }
  for (const rendition of shown) {
    const codecs = [rendition.codecs, ...(sound ? [sound.codecs] : [])].join(',')
    const rates = `BANDWIDTH=${rendition.bandwidth + (sound?.bandwidth ?? 0)},AVERAGE-BANDWIDTH=${rendition.average + (sound?.average ?? 0)}`
    lines.push(
      `#EXT-X-STREAM-INF:${rates},RESOLUTION=${rendition.width}x${rendition.height},CODECS="${codecs}"${group}`,
      `${rendition.size}/index.m3u8`,
    )
  }
  if (sound) {
    const rates = `BANDWIDTH=${sound.bandwidth},AVERAGE-BANDWIDTH=${sound.average}`
    lines.push(
      `#EXT-X-STREAM-INF:${rates},CODECS="${sound.codecs}"${shown.length > 0 ? group : ''}`,
      'sound/index.m3u8',
    )
  }
  return `${lines.join('\n')}\n`
}

// ISO/IEC 14496-15: the name of the box is followed by its version, profile, constraints and level.
function readCodecs(init: Buffer): string {
  const at = init.indexOf('avcC')
  return at === -1 ? 'mp4a.40.2' : `avc1.${init.subarray(at + 5, at + 8).toString('hex')}`
}
