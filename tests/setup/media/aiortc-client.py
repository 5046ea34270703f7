"""An unmodified aiortc that publishes by WHIP or plays by WHEP: publish|play URL TOKEN [CODEC].

Prints the status of the refusal and its body, or a line of JSON with the packets of each kind every 200 ms.
"""

import asyncio
import json
import sys
import urllib.error
import urllib.request

from aiortc import RTCPeerConnection, RTCRtpSender, RTCSessionDescription
from aiortc.mediastreams import AudioStreamTrack, VideoStreamTrack

mode, url, token = sys.argv[1:4]
codec = sys.argv[4] if len(sys.argv) > 4 else None


def post(sdp):
    headers = {"content-type": "application/sdp", "authorization": "Bearer " + token}
    try:
        with urllib.request.urlopen(urllib.request.Request(url, data=sdp.encode(), headers=headers)) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


async def drain(track):
    while True:
        await track.recv()


async def main():
    connection = RTCPeerConnection()
    if mode == "publish":
        connection.addTrack(AudioStreamTrack())
        connection.addTrack(VideoStreamTrack())
    else:
        connection.addTransceiver("audio", direction="recvonly")
        connection.addTransceiver("video", direction="recvonly")
        connection.on("track", lambda track: asyncio.ensure_future(drain(track)))
    if codec:
        known = RTCRtpSender.getCapabilities("video").codecs
        for transceiver in connection.getTransceivers():
            if transceiver.kind == "video":
                transceiver.setCodecPreferences([one for one in known if one.mimeType == "video/" + codec])
    await connection.setLocalDescription(await connection.createOffer())
    loop = asyncio.get_running_loop()
    status, body = await loop.run_in_executor(None, post, connection.localDescription.sdp)
    if status != 201:
        print(json.dumps({"status": status, "body": body}), flush=True)
        return
    await connection.setRemoteDescription(RTCSessionDescription(body, "answer"))
    while True:
        counts = {"audio": 0, "video": 0}
        for stats in (await connection.getStats()).values():
            if stats.type in ("outbound-rtp", "inbound-rtp"):
                counts[stats.kind] = getattr(stats, "packetsSent", 0) or getattr(stats, "packetsReceived", 0)
        print(json.dumps(counts), flush=True)
        await asyncio.sleep(0.2)


asyncio.run(main())
