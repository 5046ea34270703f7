/** Brings what plays, and hls.js beside it where it will be needed: together they weigh ten times the page. */
export async function loadLive(streams: boolean) {
  const [{ default: Live }] = await Promise.all([import('./Live.tsx'), streams ? import('hls.js') : null])
  return Live
}
