"""A viser server that accepts requests only from its own page, and never opens a tunnel to the internet."""

import contextlib
import http
import ipaddress
import socket
from urllib.parse import urlsplit

import viser
import websockets.asyncio.server

LOOPBACK = ("localhost", "127.0.0.1", "::1")


class OwnPageServer(viser.ViserServer):
    """Rejects requests from other pages in the same browser with the status 403.

    The Host of a request must be a name of this machine; otherwise another page could point its own name at this machine (DNS
    rebinding). The Origin, which a browser adds to the request of a page's WebSocket, must be the same host and port. The port is not
    compared with the server's own port, because ssh may forward another port to it.
    """

    def __init__(self, host, port, **options):
        with _every_request_checked(_names_of(host)):
            super().__init__(host, port, **options)
        self.gui.configure_theme(show_share_button=False)

    def request_share_url(self, verbose=True):
        """Does nothing. A browser may send a message that requests a public address."""


def _names_of(host):
    """Host names that a server on `host` accepts in requests. None among them means that every IP address is accepted."""
    names = {*LOOPBACK, host.lower()}
    with contextlib.suppress(ValueError):
        if ipaddress.ip_address(host).is_unspecified:
            names |= {None, socket.gethostname().lower(), socket.getfqdn().lower()}
    return names


@contextlib.contextmanager
def _every_request_checked(names):
    """Context in which started servers of `websockets` check each request with _is_allowed(). viser has no option for such a check."""
    serve = websockets.asyncio.server.serve

    def checked_serve(*arguments, process_request, **options):
        def process(connection, request):
            if not _is_allowed(request.headers, names):
                return connection.respond(http.HTTPStatus.FORBIDDEN, "this server accepts only requests from its own page\n")
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
    """Whether a Host header names this server.

    @param host  value of the header: a name or an address, with or without a port
    """
    try:
        name = urlsplit(f"//{host}").hostname
        if name in names:
            return True
        return None in names and bool(ipaddress.ip_address(name))
    except ValueError:
        return False
