/** Brings what plays, and hls.js beside it where it will be needed: together they weigh ten times the page. */
export async function loadLivePlayer(usesHls: boolean) {
  const [{ default: Live }] = await Promise.all([import('./LivePlayer.tsx'), usesHls ? import('hls.js') : null])
  return Live
}
