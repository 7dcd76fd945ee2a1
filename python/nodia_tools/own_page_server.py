"""A server of viser that answers its own page alone, and never opens a tunnel to the internet."""

import contextlib
import http
import ipaddress
import socket
from urllib.parse import urlsplit

import viser
import websockets.asyncio.server

LOOPBACK = ("localhost", "127.0.0.1", "::1")


class OwnPageServer(viser.ViserServer):
    """Refuses requests of other pages that a browser may have open, with the status 403.

    The Host of a request must be a name of this machine; otherwise a page could point its own name at this machine (DNS
    rebinding). The Origin, which a browser adds to the request of a page's WebSocket, must be the same host and port. Ports are not
    compared with the server's own, because ssh forwards others to it.
    """

    def __init__(self, host, port, **options):
        with _every_request_checked(_names_of(host)):
            super().__init__(host, port, **options)
        self.gui.configure_theme(show_share_button=False)

    def request_share_url(self, verbose=True):
        """Does nothing: a browser may send a message that asks for a public address."""


def _names_of(host):
    """Names in the Host of requests to a server that listens on `host`; None allows every address too."""
    names = {*LOOPBACK, host.lower()}
    with contextlib.suppress(ValueError):
        if ipaddress.ip_address(host).is_unspecified:
            names |= {None, socket.gethostname().lower(), socket.getfqdn().lower()}
    return names


@contextlib.contextmanager
def _every_request_checked(names):
    """A server of `websockets` that is started meanwhile asks _is_allowed() first. viser has no option for it."""
    serve = websockets.asyncio.server.serve

    def checked_serve(*arguments, process_request, **options):
        def process(connection, request):
            if not _is_allowed(request.headers, names):
                return connection.respond(http.HTTPStatus.FORBIDDEN, "this server answers its own page alone\n")
            return process_request(connection, request)

        return serve(*arguments, process_request=process, **options)

    websockets.asyncio.server.serve = checked_serve
    try:
        yield
    finally:
        websockets.asyncio.server.serve = serve


def _is_allowed(headers, names):
    hosts, origins = headers.get_all("Host"), headers.get_all("Origin")
    if len(hosts) != 1 or not _is_name_of(hosts[0], names):
        return False
    return all(origin.lower() in (f"http://{hosts[0]}".lower(), f"https://{hosts[0]}".lower()) for origin in origins)


def _is_name_of(host, names):
    """@param host  value of the header: a name or an address, perhaps with a port"""
    try:
        name = urlsplit(f"//{host}").hostname
        if name in names:
            return True
        return None in names and bool(ipaddress.ip_address(name))
    except ValueError:
        return False
