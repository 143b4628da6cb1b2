"""Clients of WebSockets that wait, by Debian's python3-websockets, which belongs to Debian's own
interpreter: a script that is run by another one is begun anew by that."""

import asyncio
import os
import sys
import threading

try:
    import websockets
except ImportError:
    DEBIANS = "/usr/bin/python3"
    if os.path.realpath(sys.executable) == os.path.realpath(DEBIANS):
        sys.exit("python3-websockets is missing: `./sluice test` installs it")
    os.execv(DEBIANS, [DEBIANS, *sys.argv])

LOOP = asyncio.new_event_loop()
threading.Thread(target=LOOP.run_forever, daemon=True).start()


class Connection:
    """Iterating over it gives the messages until the connection is closed."""

    def __init__(self, url, origin=None, tls=None):
        async def connect():
            options = {"ssl": tls} if tls else {}
            return await websockets.connect(
                url, origin=origin, max_size=None, max_queue=None, **options
            )

        self.websocket = self.wait(connect())

    @staticmethod
    def wait(what, seconds=None):
        return asyncio.run_coroutine_threadsafe(what, LOOP).result(seconds)

    def send(self, message):
        self.wait(self.websocket.send(message))

    def recv(self, seconds=None):
        return self.wait(self.websocket.recv(), seconds)

    def close(self):
        self.wait(self.websocket.close())

    def abort(self):
        """Ends it without saying so."""
        LOOP.call_soon_threadsafe(self.websocket.transport.abort)

    def __iter__(self):
        while True:
            try:
                yield self.recv()
            except websockets.exceptions.ConnectionClosedOK:
                return
