"""Busy times of calendar files by recurring_ical_events, which shares no code with the project. For soak/calendars.ts.

Reads {"zone", "files": [{"path", "periods": [[from, to], ...]}]} from the standard input, in milliseconds since 1970.
Prints a line of JSON for each file: {"path", "times": [[[from, to], ...], ...]} with the times of each period, or
{"path", "error"}.
"""
import datetime
import json
import signal
import sys
import zoneinfo

import icalendar
import recurring_ical_events

SECONDS_PER_FILE = 30


def stop(_signal, _frame):
    raise TimeoutError("timeout")


def instant(value, zone):
    if not isinstance(value, datetime.datetime):
        value = datetime.datetime(value.year, value.month, value.day)
    if value.tzinfo is None:
        value = value.replace(tzinfo=zone)
    return round(value.timestamp() * 1000)


def blocks_time(event):
    def text(name):
        return str(event.get(name, "")).upper()

    if text("STATUS") in ("CANCELLED", "CANCELED") or text("TRANSP") == "TRANSPARENT":
        return False
    return text("X-MICROSOFT-CDO-BUSYSTATUS") not in ("FREE", "WORKINGELSEWHERE")


def is_whole_day(event):
    return not isinstance(event["DTSTART"].dt, datetime.datetime)


def busy_times(calendars, period, zone):
    """The times of events that overlap the period; the library's own period is wider, for its days are naive."""
    start, end = (datetime.datetime.fromtimestamp(at / 1000, datetime.timezone.utc) for at in period)
    day = datetime.timedelta(days=1)
    times = []
    for calendar in calendars:
        for event in recurring_ical_events.of(calendar).between(start - day, end + day):
            if not blocks_time(event):
                continue
            first, last = instant(event["DTSTART"].dt, zone), instant(event["DTEND"].dt, zone)
            if first == last and is_whole_day(event):
                last = instant(event["DTSTART"].dt + day, zone)
            if last > first and last > period[0] and first < period[1]:
                times.append([first, last])
    return sorted(times)


def main():
    request = json.load(sys.stdin)
    zone = zoneinfo.ZoneInfo(request["zone"])
    signal.signal(signal.SIGALRM, stop)
    for file in request["files"]:
        signal.alarm(SECONDS_PER_FILE)
        try:
            with open(file["path"], "rb") as stream:
                calendars = icalendar.Calendar.from_ical(stream.read(), multiple=True)
            result = {"times": [busy_times(calendars, period, zone) for period in file["periods"]]}
        except BaseException as error:
            result = {"error": f"{type(error).__name__}: {error}"[:200]}
        signal.alarm(0)
        print(json.dumps({"path": file["path"], **result}), flush=True)


main()
