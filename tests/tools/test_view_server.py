"""The viewer answers its own page alone, and opens no tunnel to the internet."""

import contextlib
import http.server
import socket
import threading
import urllib.error
import urllib.request

import msgspec
import pytest
import viser
import websockets
from browser import Browser, needs_chromium, wait_until
from viewer_page import SIZE
from websockets.sync.client import connect

from nodia_tools.own_page_server import OwnPageServer

LOCAL = "127.0.0.1"


@contextlib.contextmanager
def server_of(kind, port, host=LOCAL):
    server = kind(host, port, verbose=False)
    try:
        yield server
    finally:
        server.stop()


@pytest.fixture(scope="module")
def own_port():
    """Port of a server that answers its own page."""
    with server_of(OwnPageServer, 28700) as server:
        yield server.get_port()


def status_of_page(port, host=None):
    """HTTP status of the page for this Host; None: that of its address."""
    request = urllib.request.Request(f"http://{LOCAL}:{port}", headers={"Host": host} if host else {})
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status
    except urllib.error.HTTPError as refused:
        return refused.code


def opens_websocket(port, origin=None, host=None):
    """Whether a WebSocket for this Host opens from a page of this origin; None: no page."""
    url = f"ws://{host or LOCAL}:{port}"
    protocol = f"viser-v{viser.__version__}"
    with socket.create_connection((LOCAL, port), timeout=60) as connection:
        try:
            with connect(url, sock=connection, origin=origin, subprotocols=[protocol], compression=None, open_timeout=60):
                return True
        except websockets.exceptions.InvalidStatus as refused:
            assert refused.response.status_code == 403
            return False


@pytest.mark.parametrize("host", [None, "localhost", "LOCALHOST:{port}", "127.0.0.1:{port}", "[::1]:{port}", "localhost:9090"])
def test_its_own_names_are_answered(own_port, host):
    assert status_of_page(own_port, host and host.format(port=own_port)) == 200


@pytest.mark.parametrize("host", ["evil.example", "evil.example:{port}", "localhost.evil.example", "192.0.2.1:{port}", "[", "0.0.0.0"])
def test_a_name_that_another_page_points_at_this_machine_is_refused(own_port, host):
    assert status_of_page(own_port, host.format(port=own_port)) == 403


def test_websockets_open_for_the_own_page_and_for_programs(own_port):
    assert opens_websocket(own_port)
    assert opens_websocket(own_port, f"http://{LOCAL}:{own_port}")
    assert opens_websocket(own_port, f"http://localhost:{own_port}", host="localhost")


@pytest.mark.parametrize(
    "origin",
    [
        "http://evil.example",
        "null",
        "http://localhost:{port}",
        "http://127.0.0.1:8000",
        "http://127.0.0.1",
        "file://",
        "https://127.0.0.1:{port}.evil.example",
    ],
)
def test_websockets_of_other_pages_are_refused(own_port, origin):
    assert not opens_websocket(own_port, origin.format(port=own_port))


def test_websockets_of_a_page_with_its_own_name_for_this_machine_are_refused(own_port):
    assert not opens_websocket(own_port, f"http://evil.example:{own_port}", host="evil.example")


def test_a_server_for_other_machines_answers_its_addresses_and_its_host_name():
    with server_of(OwnPageServer, 28710, "0.0.0.0") as server:
        port = server.get_port()
        for host in ("192.0.2.1", f"[2001:db8::1]:{port}", f"{socket.gethostname()}:{port}", "0.0.0.0"):
            assert status_of_page(port, host) == 200
        assert status_of_page(port, "evil.example") == 403
        assert opens_websocket(port, f"http://192.0.2.1:{port}", host="192.0.2.1")
        assert not opens_websocket(port, "http://evil.example", host="192.0.2.1")


def asks_for_a_tunnel(server):
    """Sends the message of the share button, and one behind it. True if the server starts to open a tunnel."""
    asked, seen = threading.Event(), threading.Event()

    class Tunnel:
        def __init__(self, *_):
            asked.set()

        def __getattr__(self, name):
            return lambda *_: None

    server._websock_server.register_handler(viser._messages.GuiCloseModalMessage, lambda *_: seen.set())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(viser._viser, "ViserTunnel", Tunnel)
        protocol = f"viser-v{viser.__version__}"
        with connect(f"ws://{LOCAL}:{server.get_port()}", subprotocols=[protocol], compression=None) as client:
            client.send(msgspec.msgpack.encode({"type": "ShareUrlRequest"}))
            client.send(msgspec.msgpack.encode({"type": "GuiCloseModalMessage", "uuid": "none"}))
            assert seen.wait(60)
            return asked.wait(2)


@pytest.mark.parametrize(("kind", "port", "opens"), [(viser.ViserServer, 28720, True), (OwnPageServer, 28730, False)])
def test_a_message_that_asks_for_a_public_address_opens_no_tunnel(kind, port, opens):
    """The first is the server without the protection: it shows that the message is the one."""
    with server_of(kind, port) as server:
        assert asks_for_a_tunnel(server) == opens


@contextlib.contextmanager
def foreign_page(port):
    """Address of a page of another server on this machine that connects to the viewer and keeps the outcome."""
    script = f"""<script>
      const socket = new WebSocket("ws://{LOCAL}:{port}", ["viser-v{viser.__version__}"]);
      socket.onopen = () => window.outcome = "open";
      socket.onerror = () => window.outcome = "refused";
    </script>"""

    class Page(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(script.encode())

        def log_message(self, *_):
            pass

    with http.server.ThreadingHTTPServer((LOCAL, 0), Page) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://{LOCAL}:{server.server_port}"
        server.shutdown()


@needs_chromium
@pytest.mark.parametrize(("kind", "port", "outcome"), [(viser.ViserServer, 28740, "open"), (OwnPageServer, 28750, "refused")])
def test_a_page_of_another_origin_in_the_same_browser(kind, port, outcome):
    """The first is the server without the protection."""
    with server_of(kind, port) as server, foreign_page(server.get_port()) as url, Browser(SIZE) as browser:
        browser.open(url)
        assert wait_until(lambda: browser.run("window.outcome"), "an answer") == outcome
